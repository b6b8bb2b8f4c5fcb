import { bigint, pgTable, text, timestamp } from "drizzle-orm/pg-core";
import type { RecordCharges } from "../../credits/lease-store.ts";
import type { CostSource } from "./cost.ts";

export const gatewayRequests = pgTable("gateway_requests", {
  id: text("id").primaryKey(),
  at: timestamp("at", { withTimezone: true, mode: "date" }).notNull(),
  workspaceId: text("workspace_id").notNull(),
  keyId: text("key_id").notNull(),
  endpoint: text("endpoint").notNull(),
  model: text("model").notNull(),
  provider: text("provider").notNull(),
  upstream: text("upstream").notNull(),
  inputTokens: bigint("input_tokens", { mode: "number" }).notNull(),
  outputTokens: bigint("output_tokens", { mode: "number" }).notNull(),
  cost: bigint("cost", { mode: "bigint" }).notNull(),
  charge: bigint("charge", { mode: "bigint" }).notNull(),
  costSource: text("cost_source").$type<CostSource>().notNull(),
});

/** One served request as the journal carries it. There is no field that could hold what was said or written. */
export interface RequestRecord {
  keyId: string;
  endpoint: string;
  model: string;
  provider: string;
  upstream: string;
  inputTokens: number;
  outputTokens: number;
  cost: string;
  costSource: CostSource;
}

/** Called in the transaction that moves the money. */
export const recordRequests: RecordCharges = async (transaction, charges) => {
  const rows = charges.map(({ id, workspaceId, amount, at, record }) => {
    const known = record as RequestRecord;
    return { ...known, id, workspaceId, at: new Date(at), cost: BigInt(known.cost), charge: amount };
  });
  await transaction.insert(gatewayRequests).values(rows).onConflictDoNothing();
};
