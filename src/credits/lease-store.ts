import { and, eq, sql } from "drizzle-orm";
import type { Queries } from "../ports/database.ts";
import type { Pico } from "./money.ts";
import { creditAccounts, creditLeases } from "./tables.ts";

/** Money that was spent: one request, one charge. */
export interface Charge {
  readonly id: string;
  readonly workspaceId: string;
  readonly amount: Pico;
  readonly at: string;
  /** What the slice that spent it writes into its own table, in the same transaction. Null when there is nothing to write. */
  readonly record: unknown;
}

/** Writes the slice's own rows. Must bear seeing the same charge twice. */
export type RecordCharges = (transaction: Queries, charges: readonly Charge[]) => Promise<void>;

export interface LeaseStore {
  /** Moves up to `wanted` from the balance into the owner's lease, nothing at all when less than `least` is free. */
  take(owner: string, workspaceId: string, least: Pico, wanted: Pico): Promise<{ taken: Pico; wasFree: Pico }>;
  /** Spends from the owner's leases. Charges already known by their id change nothing. */
  spend(owner: string, charges: readonly Charge[]): Promise<void>;
  giveBack(owner: string, workspaceId: string, amount: Pico): Promise<void>;
  /** Ends the leases of a run that is no more: `kept` goes to its heir, the rest returns to the balances. */
  inherit(owner: string, heir: string, kept: ReadonlyMap<string, Pico>): Promise<void>;
}

const batchSize = 2000;

export function createLeaseStore(queries: Queries, record: RecordCharges): LeaseStore {
  return {
    async take(owner, workspaceId, least, wanted) {
      return queries.transaction(async (transaction) => {
        const [account] = await transaction
          .select()
          .from(creditAccounts)
          .where(eq(creditAccounts.workspaceId, workspaceId))
          .for("update");
        const wasFree = account ? account.balance - account.leased : 0n;
        if (wasFree < least || wasFree === 0n) return { taken: 0n, wasFree };
        const taken = wasFree < wanted ? wasFree : wanted;
        await changeLease(transaction, owner, workspaceId, taken);
        return { taken, wasFree };
      });
    },

    async spend(owner, charges) {
      for (let from = 0; from < charges.length; from += batchSize) {
        const batch = charges.slice(from, from + batchSize);
        await queries.transaction((transaction) => spendBatch(transaction, owner, batch, record));
      }
    },

    async giveBack(owner, workspaceId, amount) {
      await queries.transaction((transaction) => changeLease(transaction, owner, workspaceId, -amount));
    },

    async inherit(owner, heir, kept) {
      await queries.transaction(async (transaction) => {
        const leases = await transaction.select().from(creditLeases).where(eq(creditLeases.owner, owner)).for("update");
        for (const { workspaceId, amount } of leases) {
          await changeLease(transaction, owner, workspaceId, -amount);
          const inherited = kept.get(workspaceId) ?? 0n;
          if (inherited > 0n)
            await changeLease(transaction, heir, workspaceId, inherited < amount ? inherited : amount);
        }
        await transaction.delete(creditLeases).where(eq(creditLeases.owner, owner));
      });
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
    .where(and(eq(creditLeases.owner, owner), eq(creditLeases.workspaceId, workspaceId)));
}

async function spendBatch(
  transaction: Queries,
  owner: string,
  charges: readonly Charge[],
  record: RecordCharges,
): Promise<void> {
  const paid = charges.filter(({ amount }) => amount > 0n);
  const written = paid.length === 0 ? [] : await addToLedger(transaction, paid);
  const sums = new Map<string, Pico>();
  for (const { workspaceId, amount } of written) sums.set(workspaceId, (sums.get(workspaceId) ?? 0n) + amount);
  // Always in the same order, so that two servers never wait for each other's rows.
  for (const [workspaceId, sum] of [...sums].sort(([a], [b]) => (a < b ? -1 : 1))) {
    await transaction
      .update(creditAccounts)
      .set({
        balance: sql`${creditAccounts.balance} - ${sum}`,
        leased: sql`${creditAccounts.leased} - ${sum}`,
        lifetimeSpend: sql`${creditAccounts.lifetimeSpend} + ${sum}`,
      })
      .where(eq(creditAccounts.workspaceId, workspaceId));
    await reduceLease(transaction, owner, workspaceId, sum);
  }
  const recorded = charges.filter((charge) => charge.record !== null);
  if (recorded.length > 0) await record(transaction, recorded);
}

/** Rows travel as one JSON text: hundreds of them cost the server's thread a fraction of what parameters would. */
async function addToLedger(
  transaction: Queries,
  charges: readonly Charge[],
): Promise<{ workspaceId: string; amount: Pico }[]> {
  const rows = charges.map(({ id, workspaceId, amount, at }) => ({
    id,
    workspaceId,
    at,
    amount: (-amount).toString(),
  }));
  const written = await transaction.execute<{ id: string }>(sql`
    INSERT INTO credit_ledger (id, workspace_id, at, kind, amount)
    SELECT id, "workspaceId", at, 'charge', amount
    FROM json_to_recordset(${JSON.stringify(rows)}::json) AS r(id text, "workspaceId" text, at timestamptz, amount bigint)
    ON CONFLICT DO NOTHING RETURNING id`);
  const news = new Set(written.rows.map(({ id }) => id));
  return charges.filter(({ id }) => news.delete(id));
}
