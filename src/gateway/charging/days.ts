import { sql } from "drizzle-orm";
import { bigint, date, numeric, pgTable, text } from "drizzle-orm/pg-core";
import type { Charge } from "../../credits/lease-store.ts";
import { isoDate } from "../../platform/days.ts";
import type { Queries } from "../../ports/database.ts";
import type { RequestGroup } from "./request-groups.ts";

/** The sums of each day (UTC) and model, from which reports are made. */
export const gatewayDays = pgTable("gateway_days", {
  workspaceId: text("workspace_id").notNull(),
  day: date("day", { mode: "string" }).notNull(),
  model: text("model").notNull(),
  provider: text("provider").notNull(),
  inputTokens: numeric("input_tokens").notNull(),
  outputTokens: numeric("output_tokens").notNull(),
  cost: numeric("cost").notNull(),
  charge: numeric("charge").notNull(),
  requests: bigint("requests", { mode: "bigint" }).notNull(),
});

/** Adds requests to their days, in the transaction that moves their money. */
export async function addToDays(transaction: Queries, groups: readonly RequestGroup[]): Promise<void> {
  const rows = groups.map(({ workspaceId, dayNumber, kind, charges }) => ({
    workspaceId,
    day: isoDate(dayNumber),
    model: kind.model,
    provider: kind.provider,
    ...sumUp(charges),
  }));
  // Always in the same order, so that two servers never wait for each other's rows.
  await transaction.execute(sql`
    INSERT INTO gateway_days AS known (workspace_id, day, model, provider, input_tokens, output_tokens, cost, charge, requests)
    SELECT "workspaceId", day, model, max(provider), sum("inputTokens"), sum("outputTokens"), sum(cost), sum(charge),
      sum(requests)
    FROM json_to_recordset(${JSON.stringify(rows)}::json) AS r ("workspaceId" text, day date, model text, provider text,
      "inputTokens" numeric, "outputTokens" numeric, cost numeric, charge numeric, requests bigint)
    GROUP BY "workspaceId", day, model
    ORDER BY "workspaceId", day, model
    ON CONFLICT (workspace_id, day, md5(model)) DO UPDATE SET
      input_tokens = known.input_tokens + excluded.input_tokens,
      output_tokens = known.output_tokens + excluded.output_tokens,
      cost = known.cost + excluded.cost,
      charge = known.charge + excluded.charge,
      requests = known.requests + excluded.requests`);
}

function sumUp(charges: readonly Charge[]) {
  let [inputTokens, outputTokens, cost, charge] = [0, 0, 0n, 0n];
  for (const { amount, owed, figures } of charges) {
    // Read from a journal, every figure is a bigint.
    inputTokens += Number(figures[0]);
    outputTokens += Number(figures[1]);
    cost += BigInt(figures[2]!);
    charge += amount + owed;
  }
  return { inputTokens, outputTokens, cost: cost.toString(), charge: charge.toString(), requests: charges.length };
}
