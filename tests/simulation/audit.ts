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
  const { rows } = await queries.execute<Record<string, string>>(sql`SELECT * FROM figures_of(${workspaceId})`);
  return Object.fromEntries(Object.entries(rows[0]!).map(([name, value]) => [name, BigInt(value)])) as never;
}

/** In a language that keeps its plans: they cost more than what they find. */
export const figuresOf = sql`
  CREATE FUNCTION figures_of(of_id text, OUT balance text, OUT leased text, OUT debt text, OUT spend text, OUT ledger text,
    OUT granted text, OUT charged text, OUT leases text)
  LANGUAGE plpgsql STABLE AS $$ BEGIN
    SELECT a.balance, a.leased, a.debt, a.lifetime_spend INTO balance, leased, debt, spend
      FROM credit_accounts a WHERE a.workspace_id = of_id;
    SELECT coalesce(sum(l.amount), 0), coalesce(sum(l.amount) FILTER (WHERE l.kind = 'grant'), 0) INTO ledger, granted
      FROM credit_ledger l WHERE l.workspace_id = of_id;
    SELECT coalesce(sum(c.total), 0) INTO charged FROM simulated_charges c WHERE c.workspace_id = of_id;
    SELECT coalesce(sum(l.amount), 0) INTO leases FROM credit_leases l WHERE l.workspace_id = of_id;
  END $$`;

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
