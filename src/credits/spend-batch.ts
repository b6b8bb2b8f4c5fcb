import { eq, sql } from "drizzle-orm";
import { newId } from "../platform/ids.ts";
import type { Queries } from "../ports/database.ts";
import { payDebt } from "./debt.ts";
import type { Charge, RecordCharges } from "./lease-store.ts";
import type { Pico } from "./money.ts";
import { creditMarks, nextVersion } from "./tables.ts";

/** Takes charges from the owner's leases, in one transaction with the slice's own rows. */
export async function spendBatch(
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
  const { rows: accounts } = await transaction.execute<{ workspace_id: string; debt: string }>(sql`
    WITH spent AS (
      SELECT * FROM json_to_recordset(${JSON.stringify(rows)}::json)
        AS s (id text, workspace text, amount bigint, owed bigint, note text)
    ), held AS (
      SELECT workspace_id, amount FROM credit_leases
      WHERE owner = ${owner} AND workspace_id IN (SELECT workspace FROM spent) FOR UPDATE
    ), locked AS (
      SELECT workspace_id FROM credit_accounts
      WHERE workspace_id IN (SELECT workspace FROM spent) AND (SELECT count(*) FROM held) >= 0
      ORDER BY workspace_id FOR UPDATE
    ), covered AS (
      SELECT id, workspace, note, least(spent.amount, coalesce(held.amount, 0)) AS amount,
        owed + spent.amount - least(spent.amount, coalesce(held.amount, 0)) AS owed
      FROM spent LEFT JOIN held ON held.workspace_id = spent.workspace
    ), written AS (
      INSERT INTO credit_ledger (id, workspace_id, kind, amount, note)
      SELECT id, workspace, 'charge', -amount, note FROM covered WHERE amount > 0
    ), returned AS (
      UPDATE credit_leases AS lease SET amount = lease.amount - covered.amount, renewed_at = now(), version = ${nextVersion}
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
