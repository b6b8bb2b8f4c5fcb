import type { Clock } from "../platform/clock.ts";
import { Problem } from "../platform/errors.ts";
import { newId } from "../platform/ids.ts";
import type { Log } from "../platform/log.ts";
import { findEstates, type JournaledHold, openJournal } from "./journal.ts";
import type { Charge, LeaseStore } from "./lease-store.ts";
import { formatDollars, type Pico, picosPerDollar } from "./money.ts";

/** Money set aside for one request until its cost is known. Ends exactly once, by `settle` or `release`. */
export interface Hold {
  readonly id: string;
  readonly workspaceId: string;
  readonly amount: Pico;
}

export interface HoldRequest {
  id: string;
  workspaceId: string;
  /** The worst case. */
  wanted: Pico;
  /** With less than this there is no point in starting. */
  least: Pico;
  /** What is needed to find out later what an interrupted request cost. Names and numbers only. */
  about: unknown;
}

export interface Books {
  /** Sets money aside, or throws `insufficient_credits`. At once when the lease has room for it. */
  reserve(request: HoldRequest): Hold | Promise<Hold>;
  /** Notes the upstream's own name for the request, by which its cost can be asked for after a crash. */
  remark(hold: Hold, reference: string): void;
  /** Takes what the request cost and frees the rest. Returns what was taken: never more than was held, unless `ceiling` allows
   *  more and more is free. */
  settle(hold: Hold, charge: Pico, record: unknown, ceiling?: Pico): Pico;
  /** Runs `settle`, whose charges then share one write with those of other requests. Resolves when no crash can lose them. */
  together(settle: () => void): Promise<void>;
  /** What could be taken for this hold now, up to `ceiling`. */
  reach(hold: Hold, ceiling: Pico): Pico;
  release(hold: Hold): void;
  /** Brings every charge into the database. */
  flush(): Promise<void>;
  /** Holds of a run that was cut off, whose requests the upstream can still be asked about. Each must be ended. */
  readonly inherited: readonly (Hold & { reference: string; about: unknown })[];
  readonly openHolds: number;
  close(): Promise<void>;
}

const never = { amount: 0n, untilMs: 0 };

interface Account {
  /** As the database has it. */
  lease: Pico;
  /** Held by running requests. */
  held: Pico;
  /** Spent, but not yet in the database. */
  unwritten: Pico;
  growing: Promise<void> | undefined;
  usedAtMs: number;
  /** The database has just refused this much; asking again at once would only make everybody wait. */
  refused: { amount: Pico; untilMs: number };
}

const flushEveryMs = 500;
const refusedMs = 100;
/** A lease that nobody spends goes back, so that other servers can. */
const idleMs = 5000;
const smallestLease: Pico = picosPerDollar / 10n;

/** Spends from memory against leases: no request waits for the database, and no two servers spend the same dollar. */
export async function openBooks(parts: { store: LeaseStore; dataDir: string; clock: Clock; log: Log }): Promise<Books> {
  const { store, clock, log } = parts;
  const owner = newId("run_", 12);
  const accounts = new Map<string, Account>();
  const holds = new Map<string, JournaledHold>();
  const inherited = await inherit();
  const journal = openJournal(parts.dataDir, owner);
  for (const { id, workspaceId, amount, about, reference } of inherited) {
    const hold = { id, workspaceId, amount: amount.toString(), about, reference };
    journal.hold(hold);
    journal.seen(id, reference);
    holds.set(id, hold);
  }
  let unwritten: Charge[] = [];
  let flushing: Promise<void> = Promise.resolve();
  let isClosed = false;
  let isTogether = false;
  const timer = setInterval(() => void flush().catch(() => {}), flushEveryMs);
  timer.unref();

  /** Settles what earlier runs have spent and takes over what they left open. */
  async function inherit(): Promise<(Hold & { reference: string; about: unknown })[]> {
    const taken: (Hold & { reference: string; about: unknown })[] = [];
    for (const estate of findEstates(parts.dataDir)) {
      await store.spend(estate.owner, estate.charges);
      const kept = new Map<string, Pico>();
      for (const { id, workspaceId, amount, about, reference } of estate.open) {
        // Without a name for it nobody can tell what the request cost: the customer gets the benefit of the doubt.
        if (reference === undefined) continue;
        taken.push({ id, workspaceId, amount: BigInt(amount), about, reference });
        kept.set(workspaceId, (kept.get(workspaceId) ?? 0n) + BigInt(amount));
      }
      await store.inherit(estate.owner, owner, kept);
      for (const [workspaceId, amount] of kept) {
        const account = accountOf(workspaceId);
        account.lease += amount;
        account.held += amount;
      }
      estate.remove();
      const released = estate.open.length - [...estate.open].filter(({ reference }) => reference !== undefined).length;
      if (estate.charges.length + estate.open.length > 0) {
        const { charges, open } = estate;
        log.info({ charges: charges.length, open: open.length, released }, "credits of an earlier process recovered");
      }
    }
    return taken;
  }

  function accountOf(workspaceId: string): Account {
    let account = accounts.get(workspaceId);
    if (!account) {
      account = { lease: 0n, held: 0n, unwritten: 0n, growing: undefined, usedAtMs: clock.now(), refused: never };
      accounts.set(workspaceId, account);
    }
    return account;
  }

  const roomIn = (account: Account): Pico => account.lease - account.held - account.unwritten;

  function reserve(request: HoldRequest): Hold | Promise<Hold> {
    const account = accountOf(request.workspaceId);
    if (!account.growing && roomIn(account) >= request.wanted) return open(account, request, request.wanted);
    return reserveSlowly(account, request);
  }

  async function reserveSlowly(account: Account, request: HoldRequest): Promise<Hold> {
    for (;;) {
      if (account.growing) {
        await account.growing;
        continue;
      }
      if (roomIn(account) >= request.wanted) return open(account, request, request.wanted);
      let isDry = false;
      account.growing = grow(account, request).then((gotAll) => {
        isDry = !gotAll;
      });
      try {
        await account.growing;
      } finally {
        account.growing = undefined;
      }
      const room = roomIn(account);
      if (room >= request.wanted) return open(account, request, request.wanted);
      // Others may have been quicker; as long as the balance has more, ask again.
      if (!isDry) continue;
      if (room >= request.least && room > 0n) return open(account, request, room);
      throw refusal(account, request);
    }
  }

  /** False when the balance had less than was asked for. */
  async function grow(account: Account, { workspaceId, wanted, least }: HoldRequest): Promise<boolean> {
    const room = roomIn(account);
    const missing = wanted - room;
    const generous = missing * 4n > smallestLease ? missing * 4n : smallestLease;
    const needed = least > room ? least - room : 1n;
    const { refused } = account;
    if (clock.now() < refused.untilMs && needed >= refused.amount) return false;
    try {
      const { taken } = await store.take(owner, workspaceId, needed, generous);
      account.lease += taken;
      // What was asked for beyond what came is not there either.
      if (taken < generous) account.refused = { amount: taken === 0n ? needed : 1n, untilMs: clock.now() + refusedMs };
      return taken === generous;
    } catch (error) {
      throw new Problem("service_unavailable", "The credit balance cannot be read right now. Try again.", {
        cause: error,
      });
    }
  }

  function refusal(account: Account, { least }: HoldRequest): Problem {
    const room = roomIn(account);
    if (account.held > 0n) {
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

  function open(account: Account, { id, workspaceId, about }: HoldRequest, amount: Pico): Hold {
    account.held += amount;
    account.usedAtMs = clock.now();
    const entry: JournaledHold = { id, workspaceId, amount: amount.toString(), about };
    holds.set(id, entry);
    journal.hold(entry);
    return { id, workspaceId, amount };
  }

  function end(hold: Hold): Account | undefined {
    // A second end of the same hold must not free the money twice.
    if (!holds.delete(hold.id)) return undefined;
    const account = accountOf(hold.workspaceId);
    account.held -= hold.amount;
    account.usedAtMs = clock.now();
    return account;
  }

  function reach(hold: Hold, ceiling: Pico): Pico {
    const free = hold.amount + roomIn(accountOf(hold.workspaceId));
    return ceiling <= hold.amount ? hold.amount : ceiling < free ? ceiling : free;
  }

  function settle(hold: Hold, wanted: Pico, record: unknown, ceiling = hold.amount): Pico {
    const most = reach(hold, ceiling);
    const account = end(hold);
    if (!account) return 0n;
    const amount = wanted < 0n ? 0n : wanted > most ? most : wanted;
    const charge: Charge = {
      id: hold.id,
      workspaceId: hold.workspaceId,
      amount,
      at: new Date(clock.now()).toISOString(),
      record,
    };
    journal.charge(charge);
    if (!isTogether) journal.writeDown();
    account.unwritten += amount;
    unwritten.push(charge);
    return amount;
  }

  function together(run: () => void): Promise<void> {
    isTogether = true;
    try {
      run();
    } finally {
      isTogether = false;
    }
    return journal.written();
  }

  function release(hold: Hold): void {
    if (end(hold)) journal.release(hold.id);
  }

  function flush(): Promise<void> {
    const run = flushing.then(async () => {
      await write();
      await giveBackIdle(isClosed ? 0 : idleMs);
    });
    flushing = run.catch((error) => log.error({ error: String(error) }, "credits wait for the database"));
    return run;
  }

  async function write(): Promise<void> {
    if (unwritten.length === 0) return;
    const batch = unwritten.slice(0, 2000);
    await store.spend(owner, batch);
    unwritten = unwritten.slice(batch.length);
    for (const { workspaceId, amount } of batch) {
      const account = accountOf(workspaceId);
      account.unwritten -= amount;
      account.lease -= amount;
    }
    journal.trim(holds.values(), unwritten);
    if (unwritten.length > 0) await write();
  }

  async function giveBackIdle(afterMs: number): Promise<void> {
    for (const [workspaceId, account] of accounts) {
      if (account.held > 0n || account.growing || clock.now() - account.usedAtMs < afterMs) continue;
      const room = roomIn(account);
      if (room > 0n) {
        // Out of reach before the first await, so that no request can reserve what is being given back.
        account.lease -= room;
        try {
          await store.giveBack(owner, workspaceId, room);
        } catch (error) {
          account.lease += room;
          throw error;
        }
      }
      if (account.lease === 0n && account.held === 0n && !account.growing) accounts.delete(workspaceId);
    }
  }

  return {
    reserve,
    remark(hold, reference) {
      const entry = holds.get(hold.id);
      if (!entry) return;
      entry.reference = reference;
      journal.seen(hold.id, reference);
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
      await flush();
      // Holds that are still open live on in the journal; the next start ends them.
      if (holds.size === 0) journal.close();
      else journal.writeDown();
    },
  };
}
