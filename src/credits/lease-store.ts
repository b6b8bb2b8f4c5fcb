import { and, eq, gt, inArray, type SQL, sql } from "drizzle-orm";
import type { Queries } from "../ports/database.ts";
import { payDebt } from "./debt.ts";
import type { Pico } from "./money.ts";
import { spendBatch } from "./spend-batch.ts";
import { creditAccounts, creditLeases, creditMarks, nextVersion } from "./tables.ts";

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

/** What the database knows of one lease. A higher version is newer. */
export interface LeaseState {
  readonly amount: Pico;
  readonly version: bigint;
}

export interface Taken {
  readonly taken: Pico;
  readonly owed: Pico;
  /** The balance has less than was asked for. */
  readonly isDry: boolean;
  readonly lease: LeaseState | undefined;
}

export interface BalanceState {
  readonly balance: Pico;
  readonly free: Pico;
  /** Who has a lease with something in it. */
  readonly owners: readonly string[];
}

/** Whatever locks a lease and an account takes the lease first, and accounts in the order of their workspaces: so nobody waits for
 *  somebody who waits for him. */
export interface LeaseStore {
  /** Moves a portion of what is free into the owner's lease, nothing at all when less than `least` is free or something is owed. */
  take(owner: string, workspaceId: string, least: Pico, portion: (free: Pico) => Pico): Promise<Taken>;
  look(workspaceId: string): Promise<BalanceState>;
  /** Pays what is owed as far as the balance goes, and returns what is still owed. */
  pay(workspaceId: string): Promise<Pico>;
  /** Spends from the owner's leases, in the order of the charges' positions. Those that were spent before change nothing; what the
   *  lease does not cover is owed. Returns what the leases then are. */
  spend(owner: string, charges: readonly Charge[]): Promise<ReadonlyMap<string, LeaseState>>;
  /** Spends and undoes it, to find out whether the database takes these charges. */
  rehearse(owner: string, charges: readonly Charge[]): Promise<void>;
  /** Says that the owner lives, and returns its leases. */
  renew(owner: string): Promise<ReadonlyMap<string, LeaseState>>;
  /** Ends leases that nobody has renewed for so long: their owner is lost. Returns how many. */
  reclaim(termMs: number): Promise<number>;
  /** At most what the lease has. Undefined when there is none. */
  giveBack(owner: string, workspaceId: string, amount: Pico): Promise<LeaseState | undefined>;
  /** Ends the leases of a run that is no more: up to `kept` goes to its successor, whose leases are returned, the rest to the balances. */
  inherit(owner: string, successor: string, kept: ReadonlyMap<string, Pico>): Promise<ReadonlyMap<string, LeaseState>>;
  /** Forgets how far the owner has spent. Only once there is no journal that could be read again. */
  forget(owner: string): Promise<void>;
  /** Moves what a hold set aside into a lease named `name`, which stays for `keptMs` beyond the term of others. */
  park(owner: string, workspaceId: string, amount: Pico, name: string, keptMs: number): Promise<LeaseState | undefined>;
  /** Keeps such a lease for so long from now on. */
  keep(name: string, keptMs: number): Promise<void>;
  /** The same store as part of a transaction. */
  within(transaction: Queries): LeaseStore;
}

class Rehearsed extends Error {}

/** Of charges in one transaction, whose statements cost as much as some hundreds of charges. */
const batchSize = 10_000;

export function createLeaseStore(queries: Queries, record: RecordCharges): LeaseStore {
  return {
    async take(owner, workspaceId, least, portion) {
      return queries.transaction(async (transaction) => {
        const [lease] = await transaction.select().from(creditLeases).where(isLease(owner, workspaceId)).for("update");
        const [account] = await transaction
          .select()
          .from(creditAccounts)
          .where(eq(creditAccounts.workspaceId, workspaceId))
          .for("update");
        if (!account) return { taken: 0n, owed: 0n, isDry: true, lease };
        const owed = account.debt > 0n ? await payDebt(transaction, workspaceId) : 0n;
        const free = account.balance - account.leased - (account.debt - owed);
        if (owed > 0n || free < least || free <= 0n) return { taken: 0n, owed, isDry: true, lease };
        const taken = portion(free);
        if (taken === 0n) return { taken, owed, isDry: false, lease };
        await transaction
          .update(creditAccounts)
          .set({ leased: sql`${creditAccounts.leased} + ${taken}` })
          .where(eq(creditAccounts.workspaceId, workspaceId));
        const [grown] = await transaction
          .insert(creditLeases)
          .values({ owner, workspaceId, amount: taken })
          .onConflictDoUpdate({
            target: [creditLeases.owner, creditLeases.workspaceId],
            set: { amount: sql`${creditLeases.amount} + ${taken}`, renewedAt: sql`now()`, version: nextVersion },
          })
          .returning();
        return { taken, owed, isDry: taken === free, lease: grown };
      });
    },

    async look(workspaceId) {
      const [account] = await queries.select().from(creditAccounts).where(eq(creditAccounts.workspaceId, workspaceId));
      const leases = await queries
        .select({ owner: creditLeases.owner })
        .from(creditLeases)
        .where(and(eq(creditLeases.workspaceId, workspaceId), gt(creditLeases.amount, 0n)));
      const { balance, leased } = account ?? { balance: 0n, leased: 0n };
      return { balance, free: balance - leased, owners: leases.map(({ owner }) => owner) };
    },

    async pay(workspaceId) {
      return queries.transaction((transaction) => payDebt(transaction, workspaceId));
    },

    async spend(owner, charges) {
      for (let from = 0; from < charges.length; from += batchSize) {
        const batch = charges.slice(from, from + batchSize);
        await queries.transaction((transaction) => spendBatch(transaction, owner, batch, record));
      }
      const workspaces = [...new Set(charges.map(({ workspaceId }) => workspaceId))];
      const isOfThese = and(eq(creditLeases.owner, owner), inArray(creditLeases.workspaceId, workspaces));
      return byWorkspace(await queries.select().from(creditLeases).where(isOfThese));
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
      const { rows } = await queries.execute<{ amount: string; version: string }>(sql`
        WITH held AS (
          SELECT workspace_id, least(amount, ${amount.toString()}::bigint) AS returned FROM credit_leases
          WHERE owner = ${owner} AND workspace_id = ${workspaceId} FOR UPDATE
        ), lease AS (
          UPDATE credit_leases AS lease SET amount = lease.amount - returned, renewed_at = now(), version = ${nextVersion}
          FROM held WHERE lease.owner = ${owner} AND lease.workspace_id = held.workspace_id
          RETURNING lease.workspace_id, lease.amount, lease.version, returned
        ), account AS (
          UPDATE credit_accounts AS account SET leased = leased - returned
          FROM lease WHERE account.workspace_id = lease.workspace_id
        )
        SELECT amount::text, version::text FROM lease`);
      return readState(rows[0]);
    },

    async inherit(owner, successor, kept) {
      const isIts = sql`SELECT owner, workspace_id FROM credit_leases WHERE owner = ${owner} FOR UPDATE`;
      await endLeases(queries, isIts, { successor, kept });
      return byWorkspace(await queries.select().from(creditLeases).where(eq(creditLeases.owner, successor)));
    },

    async renew(owner) {
      const rows = await queries
        .update(creditLeases)
        .set({ renewedAt: sql`now()` })
        .where(eq(creditLeases.owner, owner))
        .returning();
      return byWorkspace(rows);
    },

    async reclaim(termMs) {
      return endLeases(
        queries,
        sql`SELECT owner, workspace_id FROM credit_leases WHERE renewed_at < now() - ${termMs} * interval '1 millisecond'
          FOR UPDATE SKIP LOCKED`,
      );
    },

    async forget(owner) {
      await queries.delete(creditMarks).where(eq(creditMarks.journal, owner));
    },

    async park(owner, workspaceId, amount, name, keptMs) {
      const { rows } = await queries.execute<{ amount: string; version: string }>(sql`
        WITH held AS (
          SELECT least(amount, ${amount.toString()}::bigint) AS parked FROM credit_leases
          WHERE owner = ${owner} AND workspace_id = ${workspaceId} FOR UPDATE
        ), lease AS (
          UPDATE credit_leases AS lease SET amount = lease.amount - parked, version = ${nextVersion}
          FROM held WHERE lease.owner = ${owner} AND lease.workspace_id = ${workspaceId}
          RETURNING lease.amount, lease.version, parked
        ), job AS (
          INSERT INTO credit_leases (owner, workspace_id, amount, renewed_at)
          SELECT ${name}, ${workspaceId}, parked, ${fromNow(keptMs)} FROM lease
        )
        SELECT amount::text, version::text FROM lease`);
      return readState(rows[0]);
    },

    async keep(name, keptMs) {
      await queries
        .update(creditLeases)
        .set({ renewedAt: fromNow(keptMs) })
        .where(eq(creditLeases.owner, name));
    },

    within: (transaction) => createLeaseStore(transaction, record),
  };
}

/** Gives leases back to their balances, but for what a successor keeps of them. Returns how many. */
async function endLeases(
  queries: Queries,
  chosen: SQL,
  { successor = "", kept = new Map() }: { successor?: string; kept?: ReadonlyMap<string, Pico> } = {},
): Promise<number> {
  const wanted = [...kept].map(([workspace, amount]) => ({ workspace, amount: amount.toString() }));
  const { rows } = await queries.execute<{ leases: string }>(sql`
    WITH chosen AS (${chosen}), ended AS (
      DELETE FROM credit_leases AS lease USING chosen
      WHERE lease.owner = chosen.owner AND lease.workspace_id = chosen.workspace_id RETURNING lease.workspace_id, lease.amount
    ), wanted AS (
      SELECT * FROM json_to_recordset(${JSON.stringify(wanted)}::json) AS w (workspace text, amount bigint)
    ), moved AS (
      SELECT workspace_id, count(*) AS leases, sum(ended.amount)::bigint AS amount,
        least(sum(ended.amount)::bigint, coalesce(max(wanted.amount), 0)) AS kept
      FROM ended LEFT JOIN wanted ON wanted.workspace = workspace_id GROUP BY workspace_id
    ), inherited AS (
      INSERT INTO credit_leases AS lease (owner, workspace_id, amount)
      SELECT ${successor}, workspace_id, kept FROM moved WHERE kept > 0
      ON CONFLICT (owner, workspace_id) DO UPDATE SET amount = lease.amount + excluded.amount, version = ${nextVersion}
    ), locked AS (
      SELECT workspace_id FROM credit_accounts WHERE workspace_id IN (SELECT workspace_id FROM moved)
      ORDER BY workspace_id FOR UPDATE
    )
    UPDATE credit_accounts AS account SET leased = account.leased - moved.amount + moved.kept
    FROM moved JOIN locked ON locked.workspace_id = moved.workspace_id
    WHERE account.workspace_id = moved.workspace_id
    RETURNING moved.leases::text`);
  return rows.reduce((count, { leases }) => count + Number(leases), 0);
}

function fromNow(ms: number): SQL {
  return sql`now() + ${ms} * interval '1 millisecond'`;
}

function readState(row: { amount: string; version: string } | undefined): LeaseState | undefined {
  return row && { amount: BigInt(row.amount), version: BigInt(row.version) };
}

function byWorkspace(leases: readonly (LeaseState & { workspaceId: string })[]): Map<string, LeaseState> {
  return new Map(leases.map((lease) => [lease.workspaceId, lease]));
}

function isLease(owner: string, workspaceId: string): SQL | undefined {
  return and(eq(creditLeases.owner, owner), eq(creditLeases.workspaceId, workspaceId));
}
