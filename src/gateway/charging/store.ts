import { sql } from "drizzle-orm";
import type { Charge, RecordCharges } from "../../credits/lease-store.ts";
import type { Pico } from "../../credits/money.ts";
import type { CostSource } from "./cost.ts";
import { addToDays } from "./days.ts";

/** What many served requests have in common. There is no field that could hold what was said or written. */
export interface RequestKind {
  readonly keyId: string;
  readonly endpoint: string;
  readonly model: string;
  readonly provider: string;
  readonly upstream: string;
  readonly costSource: CostSource;
}

/** What one of them adds, in this order. */
export type RequestFigures = readonly [inputTokens: number, outputTokens: number, cost: Pico];

/** Called in the transaction that moves the money. What requests have in common travels once for all of them, and their figures
 *  as arrays: a third of what a JSON object for each would cost the database. */
export const recordRequests: RecordCharges = async (transaction, charges) => {
  await addToDays(transaction, charges);
  const groups = new Map<object, Charge[]>();
  for (const charge of charges) {
    const group = groups.get(charge.about!);
    if (group) group.push(charge);
    else groups.set(charge.about!, [charge]);
  }
  const rows = [...groups].map(([about, alike]) => ({
    ...about,
    workspaceId: alike[0]!.workspaceId,
    at: `{${alike.map(({ at }) => at)}}`,
    charge: `{${alike.map(({ amount }) => amount)}}`,
    inputTokens: `{${alike.map(({ figures }) => figures[0])}}`,
    outputTokens: `{${alike.map(({ figures }) => figures[1])}}`,
    cost: `{${alike.map(({ figures }) => figures[2])}}`,
  }));
  await transaction.execute(sql`
    INSERT INTO gateway_requests (at, workspace_id, key_id, endpoint, model, provider, upstream, input_tokens, output_tokens,
      cost, charge, cost_source)
    SELECT to_timestamp(r.at / 1000), "workspaceId", "keyId", endpoint, model, provider, upstream, r.input, r.output,
      r.cost, r.charge, "costSource"
    FROM json_to_recordset(${JSON.stringify(rows)}::json) AS g ("workspaceId" text, "keyId" text, endpoint text, model text,
        provider text, upstream text, "costSource" text, at text, "inputTokens" text, "outputTokens" text, cost text,
        charge text),
      unnest(g.at::float8[], g."inputTokens"::bigint[], g."outputTokens"::bigint[], g.cost::bigint[],
        g.charge::bigint[]) AS r (at, input, output, cost, charge)`);
};
