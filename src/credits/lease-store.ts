import { and, eq, type SQL, sql } from "drizzle-orm";
import { newId } from "../platform/ids.ts";
import type { Queries } from "../ports/database.ts";
import { payDebt } from "./debt.ts";
import type { Pico } from "./money.ts";
import { creditAccounts, creditLeases, creditMarks } from "./tables.ts";

/** Money that was spent: one request, one charge. */
export interface Charge {
  /** Its place among the charges of its run, from 1. */
  readonly position: number;
  readonly id: string;
  readonly workspaceId: string;
  readonly amount: Pico;
  /** What it cost beyond that: the workspace owes it. */
  readonly owed: Pico;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** What the slice that spent it writes into its own table, in the same transaction. Charges that are alike but for their
   *  figures share one object. Null when there is nothing to write. */
  readonly about: object | null;
  readonly figures: readonly (number | bigint)[];
}

/** Writes the slice's own rows. Sees each charge once. */
export type RecordCharges = (transaction: Queries, charges: readonly Charge[]) => Promise<void>;

export interface LeaseStore {
  /** Moves up to `wanted` from the balance into the owner's lease, nothing at all when less than `least` is free or something is
   *  owed. */
  take(owner: string, workspaceId: string, least: Pico, wanted: Pico): Promise<{ taken: Pico; owed: Pico }>;
  /** What nobody has taken yet, to tell those who are refused. */
  free(workspaceId: string): Promise<Pico>;
  /** Pays what is owed as far as the balance goes, and returns what is still owed. */
  pay(workspaceId: string): Promise<Pico>;
  /** Spends from the owner's leases, in the order of the charges' positions. Those that were spent before change nothing; what the
   *  lease does not cover is owed. */
  spend(owner: string, charges: readonly Charge[]): Promise<void>;
  /** Spends and undoes it, to find out whether the database takes these charges. */
  rehearse(owner: string, charges: readonly Charge[]): Promise<void>;
  /** Says that the owner lives, and returns the workspaces it has leases of. */
  renew(owner: string): Promise<ReadonlySet<string>>;
  /** Ends leases that nobody has renewed for so long: their owner is lost. Returns how many. */
  reclaim(termMs: number): Promise<number>;
  giveBack(owner: string, workspaceId: string, amount: Pico): Promise<void>;
  /** Ends the leases of a run that is no more: up to `kept` goes to its heir and is returned, the rest goes to the balances. */
  inherit(owner: string, heir: string, kept: ReadonlyMap<string, Pico>): Promise<ReadonlyMap<string, Pico>>;
  /** Forgets how far the owner has spent. Only once there is no journal that could be read again. */
  forget(owner: string): Promise<void>;
}

class Rehearsed extends Error {}

/** Of charges in one transaction, whose statements cost as much as some hundreds of charges. */
const batchSize = 10_000;

export function createLeaseStore(queries: Queries, record: RecordCharges): LeaseStore {
  return {
    async take(owner, workspaceId, least, wanted) {
      return queries.transaction(async (transaction) => {
        const [account] = await transaction
          .select()
          .from(creditAccounts)
          .where(eq(creditAccounts.workspaceId, workspaceId))
          .for("update");
        if (!account) return { taken: 0n, owed: 0n };
        const owed = account.debt > 0n ? await payDebt(transaction, workspaceId) : 0n;
        const free = account.balance - account.leased - (account.debt - owed);
        if (owed > 0n || free < least || free === 0n) return { taken: 0n, owed };
        const taken = free < wanted ? free : wanted;
        await changeLease(transaction, owner, workspaceId, taken);
        return { taken, owed };
      });
    },

    async free(workspaceId) {
      const [account] = await queries.select().from(creditAccounts).where(eq(creditAccounts.workspaceId, workspaceId));
      return account ? account.balance - account.leased : 0n;
    },

    async pay(workspaceId) {
      return queries.transaction((transaction) => payDebt(transaction, workspaceId));
    },

    async spend(owner, charges) {
      for (let from = 0; from < charges.length; from += batchSize) {
        const batch = charges.slice(from, from + batchSize);
        await queries.transaction((transaction) => spendBatch(transaction, owner, batch, record));
      }
    },

    async rehearse(owner, charges) {
      const rehearsal = queries.transaction(async (transaction) => {
        await spendBatch(transaction, owner, charges, record);
        throw new Rehearsed();
      });
      await rehearsal.catch((error) => {
        if (!(error instanceof Rehearsed)) throw error;
      });
    },

    async giveBack(owner, workspaceId, amount) {
      await queries.transaction((transaction) => changeLease(transaction, owner, workspaceId, -amount));
    },

    async inherit(owner, heir, kept) {
      return queries.transaction(async (transaction) => {
        const moved = new Map<string, Pico>();
        const leases = await transaction.select().from(creditLeases).where(eq(creditLeases.owner, owner)).for("update");
        for (const { workspaceId, amount } of leases) {
          await changeLease(transaction, owner, workspaceId, -amount);
          const wanted = kept.get(workspaceId) ?? 0n;
          const inherited = wanted < amount ? wanted : amount;
          if (inherited === 0n) continue;
          await changeLease(transaction, heir, workspaceId, inherited);
          moved.set(workspaceId, inherited);
        }
        await transaction.delete(creditLeases).where(eq(creditLeases.owner, owner));
        return moved;
      });
    },

    async renew(owner) {
      const rows = await queries
        .update(creditLeases)
        .set({ renewedAt: sql`now()` })
        .where(eq(creditLeases.owner, owner))
        .returning({ workspaceId: creditLeases.workspaceId });
      return new Set(rows.map(({ workspaceId }) => workspaceId));
    },

    async reclaim(termMs) {
      return queries.transaction(async (transaction) => {
        const expired = sql`${creditLeases.renewedAt} < now() - ${termMs} * interval '1 millisecond'`;
        const lost = await transaction.select().from(creditLeases).where(expired).for("update", { skipLocked: true });
        for (const { owner, workspaceId, amount } of lost) {
          await changeLease(transaction, owner, workspaceId, -amount);
          await transaction.delete(creditLeases).where(isLease(owner, workspaceId));
        }
        return lost.length;
      });
    },

    async forget(owner) {
      await queries.delete(creditMarks).where(eq(creditMarks.journal, owner));
    },
  };
}

async function changeLease(transaction: Queries, owner: string, workspaceId: string, change: Pico): Promise<void> {
  await transaction
    .update(creditAccounts)
    .set({ leased: sql`${creditAccounts.leased} + ${change}` })
    .where(eq(creditAccounts.workspaceId, workspaceId));
  if (change > 0n) {
    await transaction
      .insert(creditLeases)
      .values({ owner, workspaceId, amount: change })
      .onConflictDoUpdate({
        target: [creditLeases.owner, creditLeases.workspaceId],
        set: { amount: sql`${creditLeases.amount} + ${change}`, renewedAt: sql`now()` },
      });
  } else {
    await reduceLease(transaction, owner, workspaceId, -change);
  }
}

async function reduceLease(transaction: Queries, owner: string, workspaceId: string, by: Pico): Promise<void> {
  await transaction
    .update(creditLeases)
    .set({ amount: sql`${creditLeases.amount} - ${by}`, renewedAt: sql`now()` })
    .where(isLease(owner, workspaceId));
}

function isLease(owner: string, workspaceId: string): SQL | undefined {
  return and(eq(creditLeases.owner, owner), eq(creditLeases.workspaceId, workspaceId));
}

async function spendBatch(
  transaction: Queries,
  owner: string,
  batch: readonly Charge[],
  record: RecordCharges,
): Promise<void> {
  const charges = await advance(transaction, owner, batch);
  const spent = sumUp(charges);
  if (spent.length > 0) await moveMoney(transaction, owner, spent);
  const recorded = charges.filter(({ about }) => about !== null);
  if (recorded.length > 0) await record(transaction, recorded);
}

interface Spent {
  readonly workspaceId: string;
  amount: Pico;
  owed: Pico;
  count: number;
}

function sumUp(charges: readonly Charge[]): Spent[] {
  const sums = new Map<string, Spent>();
  for (const { workspaceId, amount, owed } of charges) {
    if (amount === 0n && owed === 0n) continue;
    const sum = sums.get(workspaceId);
    if (sum) {
      sum.amount += amount;
      sum.owed += owed;
      sum.count += 1;
    } else {
      sums.set(workspaceId, { workspaceId, amount, owed, count: 1 });
    }
  }
  return [...sums.values()];
}

/** One statement for all workspaces: a statement costs the embedded database most of a millisecond, whatever it does. A lease may
 *  have been reclaimed while its owner was cut off; what it no longer covers is owed. */
async function moveMoney(transaction: Queries, owner: string, spent: readonly Spent[]): Promise<void> {
  const rows = spent.map(({ workspaceId, amount, owed, count }) => ({
    id: newId("cr_"),
    workspace: workspaceId,
    amount: amount.toString(),
    owed: owed.toString(),
    note: count === 1 ? "1 request" : `${count} requests`,
  }));
  // Accounts are locked in the same order always, so that two servers never wait for each other's rows.
  const { rows: accounts } = await transaction.execute<{ workspace_id: string; debt: string }>(sql`
    WITH spent AS (
      SELECT * FROM json_to_recordset(${JSON.stringify(rows)}::json)
        AS s (id text, workspace text, amount bigint, owed bigint, note text)
    ), locked AS (
      SELECT workspace_id FROM credit_accounts WHERE workspace_id IN (SELECT workspace FROM spent)
      ORDER BY workspace_id FOR UPDATE
    ), held AS (
      SELECT workspace_id, amount FROM credit_leases
      WHERE owner = ${owner} AND workspace_id IN (SELECT workspace FROM spent) FOR UPDATE
    ), covered AS (
      SELECT id, workspace, note, least(spent.amount, coalesce(held.amount, 0)) AS amount,
        owed + spent.amount - least(spent.amount, coalesce(held.amount, 0)) AS owed
      FROM spent LEFT JOIN held ON held.workspace_id = spent.workspace
    ), written AS (
      INSERT INTO credit_ledger (id, workspace_id, kind, amount, note)
      SELECT id, workspace, 'charge', -amount, note FROM covered WHERE amount > 0
    ), returned AS (
      UPDATE credit_leases AS lease SET amount = lease.amount - covered.amount, renewed_at = now()
      FROM covered WHERE lease.owner = ${owner} AND lease.workspace_id = covered.workspace
    )
    UPDATE credit_accounts AS account SET balance = account.balance - covered.amount,
      leased = account.leased - covered.amount, lifetime_spend = account.lifetime_spend + covered.amount,
      debt = account.debt + covered.owed
    FROM covered JOIN locked ON locked.workspace_id = covered.workspace
    WHERE account.workspace_id = covered.workspace
    RETURNING account.workspace_id, account.debt::text`);
  for (const { workspace_id, debt } of accounts) if (debt !== "0") await payDebt(transaction, workspace_id);
}

/** The charges that were not spent before, after moving the owner's mark behind them. */
async function advance(transaction: Queries, owner: string, charges: readonly Charge[]): Promise<readonly Charge[]> {
  const [mark] = await transaction.select().from(creditMarks).where(eq(creditMarks.journal, owner)).for("update");
  const spent = mark?.position ?? 0;
  const news = charges.filter(({ position }) => position > spent);
  const position = news.at(-1)?.position;
  if (position !== undefined) {
    await transaction
      .insert(creditMarks)
      .values({ journal: owner, position })
      .onConflictDoUpdate({ target: creditMarks.journal, set: { position } });
  }
  return news;
}
