import { sql } from "drizzle-orm";
import { bigint, date, numeric, pgTable, text } from "drizzle-orm/pg-core";
import type { Charge } from "../../credits/lease-store.ts";
import type { Pico } from "../../credits/money.ts";
import type { Queries } from "../../ports/database.ts";
import type { RequestKind } from "./store.ts";

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

/** Of the requests of one workspace, day and model that are written together. */
interface Sums {
  readonly workspaceId: string;
  readonly dayNumber: number;
  readonly kind: RequestKind;
  inputTokens: number;
  outputTokens: number;
  cost: Pico;
  charge: Pico;
  requests: number;
}

const dayMs = 86_400_000;

/** Adds requests to their days, in the transaction that moves their money. */
export async function addToDays(transaction: Queries, charges: readonly Charge[]): Promise<void> {
  const rows = sumUp(charges).map(({ workspaceId, dayNumber, kind, cost, charge, ...counts }) => ({
    workspaceId,
    day: new Date(dayNumber * dayMs).toISOString().slice(0, 10),
    model: kind.model,
    provider: kind.provider,
    cost: cost.toString(),
    charge: charge.toString(),
    ...counts,
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

/** Requests that are alike share one object that says so, and most follow one another: no names are put together for each. What
 *  is left apart here the database adds up. */
function sumUp(charges: readonly Charge[]): Sums[] {
  const all: Sums[] = [];
  let last: Sums | undefined;
  for (const { workspaceId, at, amount, about, figures } of charges) {
    const kind = about as RequestKind;
    const dayNumber = Math.floor(at / dayMs);
    if (last?.kind !== kind || last.dayNumber !== dayNumber || last.workspaceId !== workspaceId) {
      last = { workspaceId, dayNumber, kind, inputTokens: 0, outputTokens: 0, cost: 0n, charge: 0n, requests: 0 };
      all.push(last);
    }
    // Read from a journal, every figure is a bigint.
    last.inputTokens += Number(figures[0]);
    last.outputTokens += Number(figures[1]);
    last.cost += BigInt(figures[2]!);
    last.charge += amount;
    last.requests += 1;
  }
  return all;
}
