import { sql } from "drizzle-orm";
import { addToKeyDays } from "../../credits/key-days.ts";
import type { RecordCharges } from "../../credits/lease-store.ts";
import { dayMs, isoDate } from "../../platform/days.ts";
import { addToDays } from "./days.ts";
import { groupRequests } from "./request-groups.ts";

/** Called in the transaction that moves the money. What requests have in common is stored once for all of them, and their figures
 *  as arrays: a row for each would cost the database ten times as much. */
export const recordRequests: RecordCharges = async (transaction, charges) => {
  const groups = groupRequests(charges);
  // What an upstream may bill that was given up is nobody's spending but the operator's.
  const spent = groups.filter(({ kind }) => kind.costSource !== "abandoned");
  await addToDays(transaction, spent);
  await addToKeyDays(
    transaction,
    spent.map(({ dayNumber, kind, charges: alike }) => ({
      keyId: kind.keyId,
      day: isoDate(dayNumber),
      charge: alike.reduce((sum, { amount, owed }) => sum + amount + owed, 0n),
      requests: alike.length,
    })),
  );
  const rows = groups.map(({ workspaceId, dayNumber, kind, charges: alike }) => ({
    ...kind,
    tag: kind.tag ?? "",
    ids: `{${alike.map(({ id }) => id)}}`,
    workspaceId,
    day: isoDate(dayNumber),
    atMs: `{${alike.map(({ at }) => at - dayNumber * dayMs)}}`,
    charge: `{${alike.map(({ amount, owed }) => amount + owed)}}`,
    inputTokens: `{${alike.map(({ figures }) => figures[0])}}`,
    outputTokens: `{${alike.map(({ figures }) => figures[1])}}`,
    cost: `{${alike.map(({ figures }) => figures[2])}}`,
  }));
  await transaction.execute(sql`
    INSERT INTO gateway_request_groups (day, workspace_id, key_id, endpoint, model, provider, upstream, cost_source, tag, ids, at_ms,
      input_tokens, output_tokens, cost, charge)
    SELECT day, "workspaceId", "keyId", endpoint, model, provider, upstream, "costSource", tag, ids::text[], "atMs"::integer[],
      "inputTokens"::bigint[], "outputTokens"::bigint[], cost::bigint[], charge::bigint[]
    FROM json_to_recordset(${JSON.stringify(rows)}::json) AS g (day date, "workspaceId" text, "keyId" text, endpoint text,
      model text, provider text, upstream text, "costSource" text, tag text, ids text, "atMs" text, "inputTokens" text, "outputTokens" text,
      cost text, charge text)`);
};
