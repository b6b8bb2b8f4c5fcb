import { sql } from "drizzle-orm";
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

/** Called in the transaction that moves the money. The rows travel as one JSON text, which is far cheaper than parameters. */
export const recordRequests: RecordCharges = async (transaction, charges) => {
  const rows = charges.map(({ id, workspaceId, amount, at, record }) => {
    return { ...(record as RequestRecord), id, workspaceId, at, charge: amount.toString() };
  });
  await transaction.execute(sql`
    INSERT INTO gateway_requests (id, at, workspace_id, key_id, endpoint, model, provider, upstream,
      input_tokens, output_tokens, cost, charge, cost_source)
    SELECT id, at, "workspaceId", "keyId", endpoint, model, provider, upstream,
      "inputTokens", "outputTokens", cost, charge, "costSource"
    FROM json_to_recordset(${JSON.stringify(rows)}::json) AS r(id text, at timestamptz, "workspaceId" text,
      "keyId" text, endpoint text, model text, provider text, upstream text, "inputTokens" bigint,
      "outputTokens" bigint, cost bigint, charge bigint, "costSource" text)
    ON CONFLICT DO NOTHING`);
};
