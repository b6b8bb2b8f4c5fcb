import { eq, sql } from "drizzle-orm";
import type { Queries } from "../ports/database.ts";
import type { Pico } from "./money.ts";
import { creditAccounts, creditLeases, creditLedger } from "./tables.ts";

export interface AccountAudit {
  workspaceId: string;
  balance: Pico;
  /** Recomputed from the ledger. */
  ledgerBalance: Pico;
  lifetimeSpend: Pico;
  ledgerSpend: Pico;
  leased: Pico;
  /** Recomputed from the leases. */
  leasesTotal: Pico;
  isRight: boolean;
}

/** Adds the whole ledger up and compares it with the balances, in one snapshot. */
export async function auditCredits(queries: Queries): Promise<AccountAudit[]> {
  const ledger = queries
    .select({
      workspaceId: creditLedger.workspaceId,
      balance: sql<string>`sum(${creditLedger.amount})`.as("ledger_balance"),
      spend: sql<string>`coalesce(-sum(${creditLedger.amount}) FILTER (WHERE ${creditLedger.kind} = 'charge'), 0)`.as(
        "ledger_spend",
      ),
    })
    .from(creditLedger)
    .groupBy(creditLedger.workspaceId)
    .as("ledger");
  const leases = queries
    .select({
      workspaceId: creditLeases.workspaceId,
      total: sql<string>`sum(${creditLeases.amount})`.as("leases_total"),
    })
    .from(creditLeases)
    .groupBy(creditLeases.workspaceId)
    .as("leases");
  const rows = await queries
    .select({
      account: creditAccounts,
      ledgerBalance: sql<string>`coalesce(${ledger.balance}, 0)::text`,
      ledgerSpend: sql<string>`coalesce(${ledger.spend}, 0)::text`,
      leasesTotal: sql<string>`coalesce(${leases.total}, 0)::text`,
    })
    .from(creditAccounts)
    .leftJoin(ledger, eq(ledger.workspaceId, creditAccounts.workspaceId))
    .leftJoin(leases, eq(leases.workspaceId, creditAccounts.workspaceId))
    .orderBy(creditAccounts.workspaceId);
  return rows.map(({ account, ...sums }) => {
    const [ledgerBalance, ledgerSpend, leasesTotal] = [sums.ledgerBalance, sums.ledgerSpend, sums.leasesTotal].map(
      BigInt,
    ) as [Pico, Pico, Pico];
    const isRight =
      account.balance === ledgerBalance &&
      account.lifetimeSpend === ledgerSpend &&
      account.leased === leasesTotal &&
      account.balance >= account.leased;
    return { ...account, ledgerBalance, ledgerSpend, leasesTotal, isRight };
  });
}
