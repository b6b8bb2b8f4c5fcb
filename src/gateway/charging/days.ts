import { sql } from "drizzle-orm";
import { bigint, date, numeric, pgTable, text } from "drizzle-orm/pg-core";
import type { Charge } from "../../credits/lease-store.ts";
import type { Pico } from "../../credits/money.ts";
import type { Queries } from "../../ports/database.ts";
import type { RequestFigures, RequestKind } from "./store.ts";

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

interface Sums {
  workspaceId: string;
  day: string;
  model: string;
  provider: string;
  inputTokens: bigint;
  outputTokens: bigint;
  cost: Pico;
  charge: Pico;
  requests: bigint;
}

/** Adds requests to their days, in the transaction that moves their money. */
export async function addToDays(transaction: Queries, charges: readonly Charge[]): Promise<void> {
  const days = new Map<string, Sums>();
  for (const charge of charges) addTo(days, charge);
  const rows = JSON.stringify([...days.values()], (_name, value) => (typeof value === "bigint" ? `${value}` : value));
  // Always in the same order, so that two servers never wait for each other's rows.
  await transaction.execute(sql`
    INSERT INTO gateway_days AS known (workspace_id, day, model, provider, input_tokens, output_tokens, cost, charge, requests)
    SELECT "workspaceId", day, model, provider, "inputTokens", "outputTokens", cost, charge, requests
    FROM json_to_recordset(${rows}::json) AS r ("workspaceId" text, day date, model text, provider text,
      "inputTokens" numeric, "outputTokens" numeric, cost numeric, charge numeric, requests bigint)
    ORDER BY "workspaceId", day, model
    ON CONFLICT (workspace_id, day, md5(model)) DO UPDATE SET
      input_tokens = known.input_tokens + excluded.input_tokens,
      output_tokens = known.output_tokens + excluded.output_tokens,
      cost = known.cost + excluded.cost,
      charge = known.charge + excluded.charge,
      requests = known.requests + excluded.requests`);
}

function addTo(days: Map<string, Sums>, { workspaceId, at, amount, about, figures }: Charge): void {
  const { model, provider } = about as RequestKind;
  const [inputTokens, outputTokens, cost] = figures as RequestFigures;
  const day = new Date(at).toISOString().slice(0, 10);
  const name = `${workspaceId} ${day} ${model}`;
  const sums = days.get(name) ?? {
    workspaceId,
    day,
    model,
    provider,
    inputTokens: 0n,
    outputTokens: 0n,
    cost: 0n,
    charge: 0n,
    requests: 0n,
  };
  sums.inputTokens += BigInt(inputTokens);
  sums.outputTokens += BigInt(outputTokens);
  sums.cost += BigInt(cost);
  sums.charge += amount;
  sums.requests += 1n;
  days.set(name, sums);
}
