import { sql } from "drizzle-orm";
import { newId } from "../platform/ids.ts";
import type { Queries } from "../ports/database.ts";
import type { Pico } from "./money.ts";

/** Takes what is owed from the free part of the balance, as far as that goes, and returns what is still owed. */
export async function payDebt(transaction: Queries, workspaceId: string): Promise<Pico> {
  const { rows } = await transaction.execute<{ debt: string }>(sql`
    WITH account AS (
      SELECT least(debt, balance - leased) AS paid FROM credit_accounts WHERE workspace_id = ${workspaceId} FOR UPDATE
    ), written AS (
      INSERT INTO credit_ledger (id, workspace_id, kind, amount, note)
      SELECT ${newId("cr_")}, ${workspaceId}, 'charge', -paid, 'owed for earlier requests' FROM account WHERE paid > 0
    )
    UPDATE credit_accounts SET balance = balance - paid, debt = debt - paid, lifetime_spend = lifetime_spend + paid
    FROM account WHERE workspace_id = ${workspaceId}
    RETURNING debt::text`);
  return BigInt(rows[0]?.debt ?? 0);
}
