import { and, eq, sql } from "drizzle-orm";
import { newId } from "../platform/ids.ts";
import type { Queries } from "../ports/database.ts";
import type { Pico } from "./money.ts";
import { creditAccounts, creditLeases, creditMarks } from "./tables.ts";

/** Money that was spent: one request, one charge. */
export interface Charge {
  /** Its place among the charges of its run, from 1. */
  readonly position: number;
  readonly id: string;
  readonly workspaceId: string;
  readonly amount: Pico;
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
  /** Moves up to `wanted` from the balance into the owner's lease, nothing at all when less than `least` is free. */
  take(owner: string, workspaceId: string, least: Pico, wanted: Pico): Promise<{ taken: Pico; wasFree: Pico }>;
  /** Spends from the owner's leases, in the order of the charges' positions. Those that were spent before change nothing. */
  spend(owner: string, charges: readonly Charge[]): Promise<void>;
  giveBack(owner: string, workspaceId: string, amount: Pico): Promise<void>;
  /** Ends the leases of a run that is no more: up to `kept` goes to its heir and is returned, the rest goes to the balances. */
  inherit(owner: string, heir: string, kept: ReadonlyMap<string, Pico>): Promise<ReadonlyMap<string, Pico>>;
  /** Forgets how far the owner has spent. Only once there is no journal that could be read again. */
  forget(owner: string): Promise<void>;
}

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
    .where(and(eq(creditLeases.owner, owner), eq(creditLeases.workspaceId, workspaceId)));
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
  count: number;
}

function sumUp(charges: readonly Charge[]): Spent[] {
  const sums = new Map<string, Spent>();
  for (const { workspaceId, amount } of charges) {
    if (amount === 0n) continue;
    const sum = sums.get(workspaceId);
    if (sum) {
      sum.amount += amount;
      sum.count += 1;
    } else {
      sums.set(workspaceId, { workspaceId, amount, count: 1 });
    }
  }
  return [...sums.values()];
}

/** One statement for all workspaces: a statement costs the embedded database most of a millisecond, whatever it does. */
async function moveMoney(transaction: Queries, owner: string, spent: readonly Spent[]): Promise<void> {
  const rows = spent.map(({ workspaceId, amount, count }) => ({
    id: newId("cr_"),
    workspace: workspaceId,
    amount: amount.toString(),
    note: count === 1 ? "1 request" : `${count} requests`,
  }));
  // Accounts are locked in the same order always, so that two servers never wait for each other's rows.
  await transaction.execute(sql`
    WITH spent AS (
      SELECT * FROM json_to_recordset(${JSON.stringify(rows)}::json) AS s (id text, workspace text, amount bigint, note text)
    ), locked AS (
      SELECT workspace_id FROM credit_accounts WHERE workspace_id IN (SELECT workspace FROM spent)
      ORDER BY workspace_id FOR UPDATE
    ), written AS (
      INSERT INTO credit_ledger (id, workspace_id, kind, amount, note)
      SELECT id, workspace, 'charge', -amount, note FROM spent
    ), returned AS (
      UPDATE credit_leases AS lease SET amount = lease.amount - spent.amount, renewed_at = now()
      FROM spent WHERE lease.owner = ${owner} AND lease.workspace_id = spent.workspace
    )
    UPDATE credit_accounts AS account SET balance = account.balance - spent.amount, leased = account.leased - spent.amount,
      lifetime_spend = account.lifetime_spend + spent.amount
    FROM spent JOIN locked ON locked.workspace_id = spent.workspace
    WHERE account.workspace_id = spent.workspace`);
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
