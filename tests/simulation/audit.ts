import { sql } from "drizzle-orm";
import type { Queries } from "../../src/ports/database.ts";

export interface Figures {
  readonly balance: bigint;
  readonly leased: bigint;
  readonly debt: bigint;
  readonly ledger: bigint;
  readonly spend: bigint;
  readonly charged: bigint;
  readonly leases: bigint;
  readonly granted: bigint;
}

export async function readFigures(queries: Queries, workspaceId: string): Promise<Figures> {
  const { rows } = await queries.execute<Record<string, string>>(sql`
    SELECT balance::text, leased::text, debt::text, lifetime_spend::text AS spend,
      (SELECT coalesce(sum(amount), 0)::text FROM credit_ledger WHERE workspace_id = ${workspaceId}) AS ledger,
      (SELECT coalesce(sum(amount), 0)::text FROM credit_ledger WHERE workspace_id = ${workspaceId} AND kind = 'grant') AS granted,
      (SELECT coalesce(sum(total), 0)::text FROM simulated_charges WHERE workspace_id = ${workspaceId}) AS charged,
      (SELECT coalesce(sum(amount), 0)::text FROM credit_leases WHERE workspace_id = ${workspaceId}) AS leases
    FROM credit_accounts WHERE workspace_id = ${workspaceId}`);
  return Object.fromEntries(Object.entries(rows[0]!).map(([name, value]) => [name, BigInt(value)])) as never;
}

/** What must hold whatever has just happened. Granted money is free, leased, or spent. */
export function findFault(figures: Figures): string | undefined {
  const { balance, leased, debt, ledger, spend, charged, leases, granted } = figures;
  const free = balance - leased;
  const rules: [boolean, string][] = [
    [balance === ledger, "the balance is not the sum of the ledger"],
    [leased === leases, "what is leased is not the sum of the leases"],
    [free >= 0n && leased >= 0n && debt >= 0n, "more is leased than there is"],
    [free + leased + spend === granted, "free, leased and spent are not what was granted"],
    [spend + debt === charged, "what was taken and what is owed are not what was charged"],
  ];
  const broken = rules.find(([holds]) => !holds);
  if (!broken) return undefined;
  return `${broken[1]}: ${JSON.stringify(figures, (_, value) => (typeof value === "bigint" ? value.toString() : value))}`;
}
