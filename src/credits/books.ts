import type { Clock } from "../platform/clock.ts";
import { describeError } from "../platform/database-error.ts";
import { Problem } from "../platform/errors.ts";
import type { Health } from "../platform/health.ts";
import { newId } from "../platform/ids.ts";
import { quarantine } from "../platform/journal-files.ts";
import type { Log } from "../platform/log.ts";
import { type Estate, findEstates, type JournaledHold, journalFolder, openJournal } from "./journal.ts";
import { Lease } from "./lease.ts";
import type { Charge, LeaseStore } from "./lease-store.ts";
import { formatDollars, type Pico } from "./money.ts";
import { type SpendingParts, spendCharges } from "./spend-charges.ts";

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
  /** Takes what the request cost and frees the rest. What lies beyond the hold comes from what is free; what is beyond that is
   *  owed, and blocks the workspace's next request until it is paid. Returns what was taken. */
  settle(hold: Hold, charge: Pico, record: ChargeRecord | null): Pico;
  /** Runs `settle`, whose charges then share one write with those of other requests. Calls back when no crash can lose them. */
  together(settle: () => void, onWritten: () => void): void;
  release(hold: Hold): void;
  /** Brings every charge into the database. */
  flush(): Promise<void>;
  /** Holds of a run that was cut off, whose requests the upstream can still be asked about. Each must be ended. */
  readonly inherited: readonly ReferredHold[];
  readonly openHolds: number;
  close(): Promise<void>;
}

/** Says how much there would be for a smaller request. */
export class InsufficientCredits extends Problem {
  readonly available: Pico;

  constructor(message: string, available: Pico) {
    super("insufficient_credits", message);
    this.available = available;
  }
}

const flushEveryMs = 1000;
const idleMs = 5000;
const renewEveryMs = 60_000;
/** Ten renewals missed: a server that is merely slow or restarting is back before that. */
const leaseTermMs = 10 * renewEveryMs;

/** Spends from memory against leases: no request waits for the database, and no two servers spend the same dollar. */
export async function openBooks(parts: {
  store: LeaseStore;
  dataDir: string;
  clock: Clock;
  log: Log;
  health: Health;
}): Promise<Books> {
  const { store, clock, log } = parts;
  const owner = newId("run_", 12);
  const leases = new Map<string, Lease>();
  const holds = new Map<string, Hold | ReferredHold>();
  const inherited: ReferredHold[] = [];
  const estates = findEstates(parts.dataDir);
  const journal = openJournal(parts.dataDir, owner, parts.health);
  const spending: SpendingParts = {
    store,
    log,
    quarantine: (entries) => quarantine(journalFolder(parts.dataDir), entries),
  };
  for (const estate of estates) {
    // Its leases and journal stay as they are; a start never fails because of them.
    await inherit(estate).catch((error) =>
      log.error({ error: describeError(error) }, "credits of an earlier process wait for a later start"),
    );
  }
  let unwritten: Charge[] = [];
  let position = 0;
  let flushing: Promise<void> = Promise.resolve();
  let isClosed = false;
  let isTogether = false;
  const timer = setInterval(() => void flush().catch(() => {}), flushEveryMs).unref();
  const renewal = setInterval(() => void renewLeases().catch(() => {}), renewEveryMs).unref();

  /** Settles what earlier runs have spent and takes over what they left open. */
  async function inherit(estate: Estate): Promise<void> {
    await spendCharges(spending, estate.owner, estate.charges);
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
    const isEasy = lease.room >= request.wanted && lease.owed === 0n;
    return isEasy ? open(lease, request, request.wanted) : reserveSlowly(lease, request);
  }

  async function reserveSlowly(lease: Lease, request: HoldRequest): Promise<Hold> {
    const { wanted, least } = request;
    if (lease.owed > 0n) await payUp(lease, request.workspaceId);
    for (;;) {
      const gotAll = lease.room >= wanted || (await lease.grow(wanted, least));
      if (lease.owed > 0n) throw owes(lease);
      if (lease.room >= wanted) return open(lease, request, wanted);
      // Others may have been quicker; as long as the balance has more, ask again.
      if (gotAll) continue;
      if (lease.room >= least && lease.room > 0n) return open(lease, request, lease.room);
      throw refusal(lease, request, lease.room + (await store.free(request.workspaceId)));
    }
  }

  /** What was charged last may not be in the database yet, and credits may have been added since. */
  async function payUp(lease: Lease, workspaceId: string): Promise<void> {
    await flush();
    lease.paidUp(await store.pay(workspaceId));
    if (lease.owed > 0n) throw owes(lease);
  }

  function owes({ owed }: Lease): Problem {
    return new Problem(
      "insufficient_credits",
      `Earlier requests cost $${formatDollars(owed)} more than the credit balance had. Add credits to go on.`,
    );
  }

  function refusal({ isHeld }: Lease, { least }: HoldRequest, room: Pico): Problem {
    if (isHeld) {
      const free = `The credits that are left are reserved by requests still running, but for $${formatDollars(room > 0n ? room : 0n)}.`;
      return new InsufficientCredits(`${free} This one needs up to $${formatDollars(least)}.`, room);
    }
    if (room <= 0n) return new InsufficientCredits("The credit balance is zero. Add credits to go on.", 0n);
    return new InsufficientCredits(
      `This request may cost up to $${formatDollars(least)}, the credit balance is $${formatDollars(room)}.`,
      room,
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

  function settle(hold: Hold, wanted: Pico, record: ChargeRecord | null): Pico {
    const cost = wanted < 0n ? 0n : wanted;
    const lease = end(hold);
    if (!lease) return 0n;
    const most = lease.room > hold.amount ? lease.room : hold.amount;
    const amount = cost > most ? most : cost;
    const owed = cost - amount;
    position += 1;
    const charge: Charge = {
      position,
      id: hold.id,
      workspaceId: hold.workspaceId,
      amount,
      owed,
      at: clock.now(),
      about: record?.about ?? null,
      figures: record?.figures ?? [],
    };
    journal.charge(charge);
    if (!isTogether) journal.writeDown();
    lease.spend(amount);
    lease.owed += owed;
    unwritten.push(charge);
    return amount;
  }

  function together(run: () => void, onWritten: () => void): void {
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
    flushing = run.catch((error) => log.error({ error: describeError(error) }, "credits wait for the database"));
    return run;
  }

  /** What there is now; what is spent meanwhile waits for the next time, or it would be brought in bit by bit. */
  async function write(): Promise<void> {
    const batch = unwritten.slice();
    if (batch.length === 0) return;
    await spendCharges(spending, owner, batch);
    unwritten = unwritten.slice(batch.length);
    for (const { workspaceId, amount } of batch) leaseOf(workspaceId).written(amount);
    journal.trim(journaledHolds, unwritten);
  }

  /** A server that was cut off for longer than the term finds its leases ended by another. */
  async function renewLeases(): Promise<void> {
    const kept = await store.renew(owner);
    for (const [workspaceId, lease] of leases) if (!kept.has(workspaceId)) lease.forfeit();
    const lost = await store.reclaim(leaseTermMs);
    if (lost > 0) log.warn({ leases: lost }, "credits that a lost server had taken are back in their balances");
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
    release,
    flush,
    inherited,
    get openHolds() {
      return holds.size;
    },
    async close() {
      clearInterval(timer);
      clearInterval(renewal);
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
