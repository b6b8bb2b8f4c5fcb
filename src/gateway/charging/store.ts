import { sql } from "drizzle-orm";
import type { Charge, RecordCharges } from "../../credits/lease-store.ts";
import type { Pico } from "../../credits/money.ts";
import { dayMs, isoDate } from "../../platform/days.ts";
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

/** Requests of one workspace and day (UTC) that are alike and written together. */
export interface RequestGroup {
  readonly workspaceId: string;
  readonly dayNumber: number;
  readonly kind: RequestKind;
  readonly charges: Charge[];
}

/** Called in the transaction that moves the money. What requests have in common is stored once for all of them, and their figures
 *  as arrays: a row for each would cost the database ten times as much. */
export const recordRequests: RecordCharges = async (transaction, charges) => {
  const groups = groupRequests(charges);
  await addToDays(transaction, groups);
  const rows = groups.map(({ workspaceId, dayNumber, kind, charges: alike }) => ({
    ...kind,
    workspaceId,
    day: isoDate(dayNumber),
    atMs: `{${alike.map(({ at }) => at - dayNumber * dayMs)}}`,
    charge: `{${alike.map(({ amount }) => amount)}}`,
    inputTokens: `{${alike.map(({ figures }) => figures[0])}}`,
    outputTokens: `{${alike.map(({ figures }) => figures[1])}}`,
    cost: `{${alike.map(({ figures }) => figures[2])}}`,
  }));
  await transaction.execute(sql`
    INSERT INTO gateway_request_groups (day, workspace_id, key_id, endpoint, model, provider, upstream, cost_source, at_ms,
      input_tokens, output_tokens, cost, charge)
    SELECT day, "workspaceId", "keyId", endpoint, model, provider, upstream, "costSource", "atMs"::integer[],
      "inputTokens"::bigint[], "outputTokens"::bigint[], cost::bigint[], charge::bigint[]
    FROM json_to_recordset(${JSON.stringify(rows)}::json) AS g (day date, "workspaceId" text, "keyId" text, endpoint text,
      model text, provider text, upstream text, "costSource" text, "atMs" text, "inputTokens" text, "outputTokens" text,
      cost text, charge text)`);
};

/** Requests that are alike share one object that says so: no names are put together for each. */
function groupRequests(charges: readonly Charge[]): RequestGroup[] {
  const groups: RequestGroup[] = [];
  const latest = new Map<object, RequestGroup>();
  for (const charge of charges) {
    const { workspaceId } = charge;
    const kind = charge.about as RequestKind;
    const dayNumber = Math.floor(charge.at / dayMs);
    let group = latest.get(kind);
    if (group?.dayNumber !== dayNumber || group.workspaceId !== workspaceId) {
      group = { workspaceId, dayNumber, kind, charges: [] };
      latest.set(kind, group);
      groups.push(group);
    }
    group.charges.push(charge);
  }
  return groups;
}
