import { and, eq, sql } from "drizzle-orm";
import { audit, type By } from "../audit/audit.ts";
import { Problem } from "../platform/errors.ts";
import { hashSecret } from "../platform/ids.ts";
import type { Queries } from "../ports/database.ts";
import { type Balance, grantCredits, readBalance } from "./ledger.ts";
import { parseDollars } from "./money.ts";
import { creditLedger } from "./tables.ts";

export interface Grant {
  workspace: { id: string; name: string };
  amountUsd: string;
  note: string;
  /** Chosen by the caller: however often a request is repeated with it, the money is given once. */
  reference?: string | undefined;
}

/** Gives a workspace credits: money, ledger and audit log, or nothing of it. */
export async function grant(
  queries: Queries,
  { workspace, amountUsd, note, reference }: Grant,
  by: By,
): Promise<Balance> {
  const amount = parseDollars(amountUsd);
  const id = reference === undefined ? undefined : `cr_${hashSecret(`${workspace.id} ${reference}`).slice(0, 40)}`;
  return queries.transaction(async (transaction) => {
    if (id !== undefined) {
      // Two of the same at once: the second finds what the first has done.
      await transaction.execute(sql`SELECT 1 FROM workspaces WHERE id = ${workspace.id} FOR NO KEY UPDATE`);
      const isSame = and(eq(creditLedger.id, id), eq(creditLedger.workspaceId, workspace.id));
      const [before] = await transaction.select().from(creditLedger).where(isSame);
      if (before && before.amount !== amount)
        throw new Problem("conflict", "Another amount was granted with this Idempotency-Key. Use a new one.");
      if (before) return readBalance(transaction, workspace.id);
    }
    const balance = await grantCredits(transaction, workspace.id, amount, note, id);
    await audit(transaction, { action: "credits-granted", ...by, workspace, details: { amountUsd, note } });
    return balance;
  });
}
