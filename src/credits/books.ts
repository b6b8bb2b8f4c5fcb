import type { Clock } from "../platform/clock.ts";
import { Problem } from "../platform/errors.ts";
import { newId } from "../platform/ids.ts";
import type { Log } from "../platform/log.ts";
import { type Estate, findEstates, type JournaledHold, openJournal } from "./journal.ts";
import { Lease } from "./lease.ts";
import type { Charge, LeaseStore } from "./lease-store.ts";
import { formatDollars, type Pico } from "./money.ts";

/** Money set aside for one request until its cost is known. Ends exactly once, by `settle` or `release`. */
export interface Hold {
  readonly id: string;
  readonly workspaceId: string;
  readonly amount: Pico;
}

/** A hold whose cost the upstream can be asked for. */
export interface ReferredHold extends Hold {
  readonly reference: string;
  readonly about: unknown;
}

export interface HoldRequest {
  id: string;
  workspaceId: string;
  /** The worst case. */
  wanted: Pico;
  /** With less than this there is no point in starting. */
  least: Pico;
}

/** What the slice writes down about a charge: see `Charge`. */
export type ChargeRecord = Pick<Charge, "figures"> & { readonly about: object };

export interface Books {
  /** Sets money aside, or throws `insufficient_credits`. At once when the lease has room for it. */
  reserve(request: HoldRequest): Hold | Promise<Hold>;
  /** Notes the upstream's own name for the request, by which its cost can be asked for after a crash, and what is needed to ask.
   *  Names and numbers only. */
  remark(hold: Hold, reference: string, about: unknown): void;
  /** Takes what the request cost and frees the rest. Returns what was taken: never more than was held, unless `ceiling` allows
   *  more and more is free. */
  settle(hold: Hold, charge: Pico, record: ChargeRecord | null, ceiling?: Pico): Pico;
  /** Runs `settle`, whose charges then share one write with those of other requests. Calls back when no crash can lose them. */
  together(settle: () => void, onWritten: (error?: unknown) => void): void;
  /** What could be taken for this hold now, up to `ceiling`. */
  reach(hold: Hold, ceiling: Pico): Pico;
  release(hold: Hold): void;
  /** Brings every charge into the database. */
  flush(): Promise<void>;
  /** Holds of a run that was cut off, whose requests the upstream can still be asked about. Each must be ended. */
  readonly inherited: readonly ReferredHold[];
  readonly openHolds: number;
  close(): Promise<void>;
}

const flushEveryMs = 1000;
const idleMs = 5000;

/** Spends from memory against leases: no request waits for the database, and no two servers spend the same dollar. */
export async function openBooks(parts: { store: LeaseStore; dataDir: string; clock: Clock; log: Log }): Promise<Books> {
  const { store, clock, log } = parts;
  const owner = newId("run_", 12);
  const leases = new Map<string, Lease>();
  const holds = new Map<string, Hold | ReferredHold>();
  const inherited: ReferredHold[] = [];
  const estates = findEstates(parts.dataDir);
  const journal = openJournal(parts.dataDir, owner);
  for (const estate of estates) await inherit(estate);
  let unwritten: Charge[] = [];
  let position = 0;
  let flushing: Promise<void> = Promise.resolve();
  let isClosed = false;
  let isTogether = false;
  const timer = setInterval(() => void flush().catch(() => {}), flushEveryMs);
  timer.unref();

  /** Settles what earlier runs have spent and takes over what they left open. */
  async function inherit(estate: Estate): Promise<void> {
    await store.spend(estate.owner, estate.charges);
    const wanted = new Map<string, Pico>();
    for (const { workspaceId, amount } of estate.open) {
      wanted.set(workspaceId, (wanted.get(workspaceId) ?? 0n) + BigInt(amount));
    }
    const moved = await store.inherit(estate.owner, owner, wanted);
    for (const [workspaceId, amount] of moved) leaseOf(workspaceId).inherit(amount);
    for (const { amount, ...rest } of estate.open) {
      const hold = { ...rest, amount: BigInt(amount) };
      const lease = leaseOf(hold.workspaceId);
      // A start that was itself cut off may have moved the money before; it has gone back to the balance by now.
      if (lease.room < hold.amount) continue;
      lease.hold(hold.amount);
      holds.set(hold.id, hold);
      inherited.push(hold);
      journal.hold(journaled(hold));
    }
    journal.writeDown();
    // In this order: without its mark a journal that is still there would be spent again.
    estate.remove();
    await store.forget(estate.owner);
    const { charges, open } = estate;
    if (charges.length + open.length > 0) {
      log.info({ charges: charges.length, open: open.length }, "credits of an earlier process recovered");
    }
  }

  function leaseOf(workspaceId: string): Lease {
    let lease = leases.get(workspaceId);
    if (!lease) {
      lease = new Lease({ store, owner, clock }, workspaceId);
      leases.set(workspaceId, lease);
    }
    return lease;
  }

  function reserve(request: HoldRequest): Hold | Promise<Hold> {
    const lease = leaseOf(request.workspaceId);
    return lease.room >= request.wanted ? open(lease, request, request.wanted) : reserveSlowly(lease, request);
  }

  async function reserveSlowly(lease: Lease, request: HoldRequest): Promise<Hold> {
    const { wanted, least } = request;
    for (;;) {
      const gotAll = await lease.grow(wanted, least);
      if (lease.room >= wanted) return open(lease, request, wanted);
      // Others may have been quicker; as long as the balance has more, ask again.
      if (gotAll) continue;
      if (lease.room >= least && lease.room > 0n) return open(lease, request, lease.room);
      throw refusal(lease, request);
    }
  }

  function refusal({ room, isHeld }: Lease, { least }: HoldRequest): Problem {
    if (isHeld) {
      return new Problem(
        "insufficient_credits",
        `The credits that are left are reserved by requests still running. This one needs up to $${formatDollars(least)}.`,
      );
    }
    if (room <= 0n) return new Problem("insufficient_credits", "The credit balance is zero. Add credits to go on.");
    return new Problem(
      "insufficient_credits",
      `This request may cost up to $${formatDollars(least)}, the credit balance is $${formatDollars(room)}.`,
    );
  }

  function open(lease: Lease, { id, workspaceId }: HoldRequest, amount: Pico): Hold {
    lease.hold(amount);
    const hold = { id, workspaceId, amount };
    holds.set(id, hold);
    return hold;
  }

  function end(hold: Hold): Lease | undefined {
    // A second end of the same hold must not free the money twice.
    if (!holds.delete(hold.id)) return undefined;
    const lease = leaseOf(hold.workspaceId);
    lease.free(hold.amount);
    return lease;
  }

  function reach(hold: Hold, ceiling: Pico): Pico {
    const free = hold.amount + leaseOf(hold.workspaceId).room;
    return ceiling <= hold.amount ? hold.amount : ceiling < free ? ceiling : free;
  }

  function settle(hold: Hold, wanted: Pico, record: ChargeRecord | null, ceiling = hold.amount): Pico {
    const most = reach(hold, ceiling);
    const lease = end(hold);
    if (!lease) return 0n;
    const amount = wanted < 0n ? 0n : wanted > most ? most : wanted;
    position += 1;
    const charge: Charge = {
      position,
      id: hold.id,
      workspaceId: hold.workspaceId,
      amount,
      at: clock.now(),
      about: record?.about ?? null,
      figures: record?.figures ?? [],
    };
    journal.charge(charge);
    if (!isTogether) journal.writeDown();
    lease.spend(amount);
    unwritten.push(charge);
    return amount;
  }

  function together(run: () => void, onWritten: (error?: unknown) => void): void {
    isTogether = true;
    try {
      run();
    } finally {
      isTogether = false;
    }
    journal.onWritten(onWritten);
  }

  function release(hold: Hold): void {
    const known = holds.get(hold.id);
    if (end(hold) && isReferred(known!)) journal.release(hold.id);
  }

  function journaledHolds(): JournaledHold[] {
    return [...holds.values()].filter(isReferred).map(journaled);
  }

  function flush(): Promise<void> {
    const run = flushing.then(async () => {
      await write();
      await giveBackIdle(isClosed ? 0 : idleMs);
    });
    flushing = run.catch((error) => log.error({ error: String(error) }, "credits wait for the database"));
    return run;
  }

  /** What there is now; what is spent meanwhile waits for the next time, or it would be brought in bit by bit. */
  async function write(): Promise<void> {
    const batch = unwritten.slice();
    if (batch.length === 0) return;
    await store.spend(owner, batch);
    unwritten = unwritten.slice(batch.length);
    for (const { workspaceId, amount } of batch) leaseOf(workspaceId).written(amount);
    journal.trim(journaledHolds, unwritten);
  }

  async function giveBackIdle(afterMs: number): Promise<void> {
    for (const [workspaceId, lease] of leases) {
      await lease.giveBackIdle(afterMs);
      if (lease.isEmpty) leases.delete(workspaceId);
    }
  }

  return {
    reserve,
    remark({ id, workspaceId, amount }, reference, about) {
      if (!holds.has(id)) return;
      const referred = { id, workspaceId, amount, reference, about };
      holds.set(id, referred);
      journal.hold(journaled(referred));
      journal.writeDown();
    },
    settle,
    together,
    reach,
    release,
    flush,
    inherited,
    get openHolds() {
      return holds.size;
    },
    async close() {
      clearInterval(timer);
      isClosed = true;
      for (const lease of leases.values()) await lease.settled();
      await flush();
      // Holds that are still open live on in the journal; the next start ends them.
      if (holds.size > 0) return journal.writeDown();
      journal.close();
      await store.inherit(owner, owner, new Map());
      await store.forget(owner);
    },
  };
}

function isReferred(hold: Hold): hold is ReferredHold {
  return "reference" in hold;
}

function journaled({ id, workspaceId, amount, about, reference }: ReferredHold): JournaledHold {
  return { id, workspaceId, amount: amount.toString(), about, reference };
}
