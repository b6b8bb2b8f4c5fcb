import { eq, sql } from "drizzle-orm";
import { Problem } from "../platform/errors.ts";
import { newId } from "../platform/ids.ts";
import type { Queries } from "../ports/database.ts";
import { payDebt } from "./debt.ts";
import type { Pico } from "./money.ts";
import { creditAccounts, creditLedger } from "./tables.ts";

export interface Balance {
  balance: Pico;
  lifetimeSpend: Pico;
  /** What earlier requests cost beyond what could be taken; nothing is served until it is paid. */
  debt: Pico;
}

/** Puts money into a workspace's account and writes down that it did, both or neither. */
export async function grantCredits(
  queries: Queries,
  workspaceId: string,
  amount: Pico,
  note: string,
  id = newId("cr_"),
): Promise<Balance> {
  if (amount <= 0n) throw new Problem("invalid_request", "The amount must be above zero, such as 5.00.");
  return queries.transaction(async (transaction) => {
    await transaction.insert(creditLedger).values({ id, workspaceId, kind: "grant", amount, note });
    const [account] = await transaction
      .insert(creditAccounts)
      .values({ workspaceId, balance: amount, lifetimeSpend: 0n })
      .onConflictDoUpdate({
        target: creditAccounts.workspaceId,
        set: { balance: sql`${creditAccounts.balance} + ${amount}` },
      })
      .returning();
    if (account!.debt === 0n) return account!;
    await payDebt(transaction, workspaceId);
    return readBalance(transaction, workspaceId);
  });
}

export async function readBalance(queries: Queries, workspaceId: string): Promise<Balance> {
  const [account] = await queries.select().from(creditAccounts).where(eq(creditAccounts.workspaceId, workspaceId));
  return account ?? { balance: 0n, lifetimeSpend: 0n, debt: 0n };
}
