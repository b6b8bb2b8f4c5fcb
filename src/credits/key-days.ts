import { and, gte, inArray, sql } from "drizzle-orm";
import { bigint, date, numeric, pgTable, text } from "drizzle-orm/pg-core";
import type { Queries } from "../ports/database.ts";
import type { Pico } from "./money.ts";

/** What the gateway requests of a key come to on a day (UTC). */
export const keyDays = pgTable("key_days", {
  keyId: text("key_id").notNull(),
  day: date("day", { mode: "string" }).notNull(),
  charge: numeric("charge").notNull(),
  requests: bigint("requests", { mode: "bigint" }).notNull(),
});

export interface KeyDay {
  keyId: string;
  day: string;
  charge: Pico;
  requests: number;
}

/** Adds requests to their days, in the transaction that moves their money. */
export async function addToKeyDays(transaction: Queries, days: readonly KeyDay[]): Promise<void> {
  const rows = days.map((one) => ({ ...one, charge: one.charge.toString() }));
  // Always in the same order, so that two servers never wait for each other's rows.
  await transaction.execute(sql`
    INSERT INTO key_days AS known (key_id, day, charge, requests)
    SELECT "keyId", day, sum(charge), sum(requests)
    FROM json_to_recordset(${JSON.stringify(rows)}::json) AS r ("keyId" text, day date, charge numeric, requests bigint)
    GROUP BY "keyId", day
    ORDER BY "keyId", day
    ON CONFLICT (key_id, day) DO UPDATE SET
      charge = known.charge + excluded.charge, requests = known.requests + excluded.requests`);
}

/** What each of these keys was charged from a day on. */
export async function readKeyCharges(
  queries: Queries,
  keyIds: readonly string[],
  from: string,
): Promise<Map<string, Pico>> {
  if (keyIds.length === 0) return new Map();
  const rows = await queries
    .select({ keyId: keyDays.keyId, charge: sql<string>`sum(${keyDays.charge})::text` })
    .from(keyDays)
    .where(and(inArray(keyDays.keyId, [...keyIds]), gte(keyDays.day, from)))
    .groupBy(keyDays.keyId);
  return new Map(rows.map(({ keyId, charge }) => [keyId, BigInt(charge)]));
}

/** The first day of the month (UTC) that a moment is in. */
export function monthOf(nowMs: number): string {
  return `${new Date(nowMs).toISOString().slice(0, 7)}-01`;
}
