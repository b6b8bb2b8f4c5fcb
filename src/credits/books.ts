import type { Clock } from "../platform/clock.ts";
import { describeError } from "../platform/database-error.ts";
import type { Health } from "../platform/health.ts";
import { newId } from "../platform/ids.ts";
import { quarantine } from "../platform/journal-files.ts";
import type { Log } from "../platform/log.ts";
import type { Bus } from "../ports/bus.ts";
import type { Queries } from "../ports/database.ts";
import { adoptOrphans } from "./adopt-orphans.ts";
import { findOrphanedJournals, type JournaledHold, journaled, journalFolder, openJournal } from "./journal.ts";
import { Lease } from "./lease.ts";
import type { Charge, LeaseStore } from "./lease-store.ts";
import type { Pico } from "./money.ts";
import { openParked, type ParkedHold, parkHold } from "./parked-hold.ts";
import { meetPeers } from "./peers.ts";
import { owes, refuse, type Situation } from "./refuse.ts";
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
  /** Hands a hold to a job, in the transaction that makes it: from then on it belongs to no server. What is returned is to be
   *  called once that has been committed; until then the hold is still open here. */
  park(hold: Hold, name: string, within: Queries): Promise<() => void>;
  /** What was parked, for whoever goes on with the job. */
  parked(name: string, hold: Hold): ParkedHold;
  /** Brings every charge into the database. */
  flush(): Promise<void>;
  /** Holds of a run that was cut off, whose requests the upstream can still be asked about. Each must be ended. */
  readonly inherited: readonly ReferredHold[];
  readonly openHolds: number;
  close(): Promise<void>;
}

const flushEveryMs = 1000;
const idleMs = 5000;
const renewEveryMs = 60_000;
/** Ten renewals missed: a server that is merely slow or restarting is back before that. */
const leaseTermMs = 10 * renewEveryMs;
/** What others give back may go to a third before the one who asked takes it. */
const mostAsked = 3;

/** Spends from memory against leases: no request waits for the database, and no two servers spend the same dollar. */
export async function openBooks(parts: {
  store: LeaseStore;
  dataDir: string;
  clock: Clock;
  log: Log;
  health: Health;
  /** The way to other servers on the same database, and the first word of its subjects; undefined where there are none. */
  cluster?: { bus: Bus; name: string } | undefined;
}): Promise<Books> {
  const { store, clock, log } = parts;
  const owner = newId("run_", 12);
  const leases = new Map<string, Lease>();
  const holds = new Map<string, Hold | ReferredHold>();
  const peers = parts.cluster && meetPeers(parts.cluster, owner, giveBack);
  const looking = new Map<string, Promise<Situation>>();
  const orphans = findOrphanedJournals(parts.dataDir, log);
  const journal = openJournal(parts.dataDir, owner, parts.health);
  const spending: SpendingParts = {
    store,
    log,
    quarantine: (entries) => quarantine(journalFolder(parts.dataDir), entries),
  };
  const inherited = await adoptOrphans({ spending, journal, owner, holds, leaseOf }, orphans);
  let unwritten: Charge[] = [];
  let position = 0;
  let flushing: Promise<void> = Promise.resolve();
  let renewedAtMs = clock.now();
  let isClosed = false;
  let isTogether = false;
  const timer = setInterval(() => void flush().catch(() => {}), flushEveryMs).unref();
  const renewal = setInterval(() => void renewLeases().catch(() => {}), renewEveryMs).unref();

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
    const { wanted, least, workspaceId } = request;
    if (lease.owed > 0n) await payUp(lease, workspaceId);
    for (let asked = 0; ; ) {
      const gotAll = lease.room >= wanted || (await lease.grow(wanted, least));
      if (lease.owed > 0n) throw owes(lease.owed);
      if (lease.room >= wanted) return open(lease, request, wanted);
      // Others may have been quicker; as long as the balance has more, ask again.
      if (gotAll) continue;
      if (lease.room >= least && lease.room > 0n) return open(lease, request, lease.room);
      const situation = await look(lease, workspaceId);
      if (situation.available < least || ++asked > mostAsked) throw refuse(least, situation);
      lease.askAgain();
    }
  }

  /** Once for all requests that are about to be refused. */
  function look(lease: Lease, workspaceId: string): Promise<Situation> {
    let found = looking.get(workspaceId);
    if (!found) {
      found = lookAround(lease, workspaceId).finally(() => looking.delete(workspaceId));
      looking.set(workspaceId, found);
    }
    return found;
  }

  /** What there is, after other servers have given back what they do not need. */
  async function lookAround(lease: Lease, workspaceId: string): Promise<Situation> {
    await lease.settled();
    const before = await store.look(workspaceId);
    const others = before.owners.filter((one) => one !== owner);
    const isAlone = !peers || others.length === 0;
    const elsewhere = isAlone ? 0n : await peers.ask(others, workspaceId);
    const { balance, free } = isAlone ? before : await store.look(workspaceId);
    const rest = balance - lease.unwritten - elsewhere;
    const available = lease.room + free;
    return { balance: rest, available: available < rest ? available : rest, held: lease.held };
  }

  /** Another server has too little for a request. Returns what was spent and is not in the database yet. */
  async function giveBack(workspaceId: string): Promise<Pico> {
    const lease = leases.get(workspaceId);
    await lease?.giveBack();
    return lease?.unwritten ?? 0n;
  }

  /** What was charged last may not be in the database yet, and credits may have been added since. */
  async function payUp(lease: Lease, workspaceId: string): Promise<void> {
    await flush();
    lease.paidUp(await store.pay(workspaceId));
    if (lease.owed > 0n) throw owes(lease.owed);
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
    // What the journal does not know to be charged would be charged again after a crash.
    if (!journal.writeDown() && !isClosed) throw new Error("the journal cannot be written");
    const states = await spendCharges(spending, owner, batch);
    unwritten = unwritten.slice(batch.length);
    for (const { workspaceId, amount } of batch) leaseOf(workspaceId).written(amount, states.get(workspaceId));
    journal.trim(journaledHolds, unwritten);
  }

  /** A server that was cut off for longer than the term finds its leases ended by another; one that never heard the answer to its
   *  question finds more than it knew of. */
  async function renewLeases(): Promise<void> {
    const now = clock.now();
    const kept = await store.renew(owner).catch((error) => {
      // By now another server may have ended them.
      if (now - renewedAtMs > leaseTermMs - renewEveryMs) for (const lease of leases.values()) lease.seen(undefined);
      throw error;
    });
    renewedAtMs = now;
    for (const [workspaceId, lease] of leases) lease.seen(kept.get(workspaceId));
    for (const [workspaceId, state] of kept) if (state.amount > 0n) leaseOf(workspaceId).seen(state);
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
    async park(hold, name, within) {
      const state = await parkHold(store.within(within), owner, hold, name);
      return () => {
        const lease = end(hold);
        lease?.seen(state);
      };
    },
    parked: (name, hold) => openParked(spending, clock.now, name, hold),
    flush,
    inherited,
    get openHolds() {
      return holds.size;
    },
    async close() {
      clearInterval(timer);
      clearInterval(renewal);
      isClosed = true;
      peers?.close();
      for (const lease of leases.values()) await lease.settled();
      await flush();
      // Holds that are still open live on in the journal; the next start ends them.
      if (holds.size > 0) return void journal.writeDown();
      journal.close();
      await store.inherit(owner, owner, new Map());
      await store.forget(owner);
    },
  };
}

function isReferred(hold: Hold): hold is ReferredHold {
  return "reference" in hold;
}
