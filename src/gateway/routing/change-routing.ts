import { eq, sql } from "drizzle-orm";
import { type AuditAction, audit, type By } from "../../audit/audit.ts";
import { Problem } from "../../platform/errors.ts";
import { newId } from "../../platform/ids.ts";
import type { Queries } from "../../ports/database.ts";
import type { Secrets } from "../../ports/secrets.ts";
import type { Strategy } from "../catalog/order-routes.ts";
import { getProvider } from "../upstreams/providers.ts";
import type { AliasFields, UpstreamFields, UpstreamKeyFields } from "./schema.ts";
import { gatewayAliases, gatewayRouting, gatewayUpstreamKeys, gatewayUpstreams } from "./tables.ts";

/** What the keys of upstreams are sealed for. */
export const upstreamKeyPurpose = "upstream-key";
const mostUpstreams = 200;
const mostKeys = 100;

interface Change extends Pick<Parameters<typeof audit>[1], "target" | "details"> {
  action: AuditAction;
}

/** An act of administration on the routing: what it writes, the audit log and the version that servers look at, or nothing. */
function change<Result>(
  queries: Queries,
  by: By,
  act: (transaction: Queries) => Promise<{ told: Change; result: Result }>,
): Promise<Result> {
  return queries.transaction(async (transaction) => {
    // First, so that of two changes the later one sees what the other did.
    await transaction
      .insert(gatewayRouting)
      .values({ id: 1, strategy: "order", version: 1 })
      .onConflictDoUpdate({ target: gatewayRouting.id, set: { version: sql`${gatewayRouting.version} + 1` } });
    const { told, result } = await act(transaction);
    await audit(transaction, { ...by, ...told });
    return result;
  });
}

export function setStrategy(queries: Queries, strategy: Strategy, by: By = {}): Promise<void> {
  return change(queries, by, async (transaction) => {
    await transaction.update(gatewayRouting).set({ strategy });
    return { told: { action: "routing-changed", details: { strategy } }, result: undefined };
  });
}

export function setUpstream(queries: Queries, name: string, given: UpstreamFields, by: By = {}): Promise<void> {
  const provider = given.provider === null ? undefined : getProvider(given.provider);
  const url = given.url ?? provider?.url;
  if (url === undefined)
    throw new Problem("invalid_request", '"url" is missing: the base address of the upstream.', { field: "url" });
  const kind = given.kind ?? provider?.kind ?? "openai";
  const fields = { ...given, url, kind, prefix: given.prefix ?? given.provider };
  return change(queries, by, async (transaction) => {
    const count = await transaction.$count(gatewayUpstreams);
    if (count >= mostUpstreams)
      throw new Problem("conflict", `There are ${mostUpstreams} upstreams. Remove some first.`);
    await transaction
      .insert(gatewayUpstreams)
      .values({ name, ...fields })
      .onConflictDoUpdate({ target: gatewayUpstreams.name, set: fields });
    const { isEnabled, weight, position, models, allowed } = fields;
    const details = { kind, url, provider: given.provider, isEnabled, weight, position, models, allowed };
    return { told: { action: "upstream-changed", target: name, details }, result: undefined };
  });
}

/** With its keys. */
export function removeUpstream(queries: Queries, name: string, by: By = {}): Promise<void> {
  return change(queries, by, async (transaction) => {
    const removed = await transaction.delete(gatewayUpstreams).where(eq(gatewayUpstreams.name, name)).returning();
    if (removed.length === 0) throw new Problem("not_found", `There is no upstream "${name}" in the database.`);
    await transaction.delete(gatewayUpstreamKeys).where(eq(gatewayUpstreamKeys.upstream, name));
    return { told: { action: "upstream-removed", target: name }, result: undefined };
  });
}

/** `known` are the names of the upstreams that the settings bring. */
export function addUpstreamKey(
  queries: Queries,
  secrets: Secrets,
  { upstream, fields, known }: { upstream: string; fields: UpstreamKeyFields; known: readonly string[] },
  by: By = {},
): Promise<{ id: string; hint: string }> {
  const { key, name, requestsPerMinute } = fields;
  return change(queries, by, async (transaction) => {
    const rows = await transaction.select().from(gatewayUpstreams).where(eq(gatewayUpstreams.name, upstream));
    if (rows.length === 0 && !known.includes(upstream))
      throw new Problem("not_found", `There is no upstream "${upstream}".`);
    const ofUpstream = eq(gatewayUpstreamKeys.upstream, upstream);
    if ((await transaction.$count(gatewayUpstreamKeys, ofUpstream)) >= mostKeys)
      throw new Problem("conflict", `"${upstream}" has ${mostKeys} keys. Remove some first.`);
    const id = newId("upk_");
    // Of a short key the hint would be too much of it.
    const hint = key.length >= 16 ? key.slice(-4) : "";
    const sealed = secrets.seal(upstreamKeyPurpose, key);
    const row = { id, upstream, name, sealed, hint, requestsPerMinute };
    await transaction.insert(gatewayUpstreamKeys).values(row);
    const details = { key: id, name, requestsPerMinute };
    const told: Change = { action: "upstream-key-added", target: upstream, details };
    return { told, result: { id, hint } };
  });
}

export function removeUpstreamKey(queries: Queries, id: string, by: By = {}): Promise<void> {
  return change(queries, by, async (transaction) => {
    const [row] = await transaction.delete(gatewayUpstreamKeys).where(eq(gatewayUpstreamKeys.id, id)).returning();
    if (!row) throw new Problem("not_found", `There is no upstream key "${id}".`);
    const details = { key: id, name: row.name };
    return { told: { action: "upstream-key-removed", target: row.upstream, details }, result: undefined };
  });
}

export function setAlias(queries: Queries, name: string, fields: AliasFields, by: By = {}): Promise<void> {
  return change(queries, by, async (transaction) => {
    await transaction
      .insert(gatewayAliases)
      .values({ name, ...fields })
      .onConflictDoUpdate({ target: gatewayAliases.name, set: fields });
    const { strategy } = fields;
    const models = fields.models.map(({ model, weight }) => (weight === 1 ? model : `${model}*${weight}`));
    return { told: { action: "alias-changed", target: name, details: { strategy, models } }, result: undefined };
  });
}

export function removeAlias(queries: Queries, name: string, by: By = {}): Promise<void> {
  return change(queries, by, async (transaction) => {
    const removed = await transaction.delete(gatewayAliases).where(eq(gatewayAliases.name, name)).returning();
    if (removed.length === 0) throw new Problem("not_found", `There is no alias "${name}" in the database.`);
    return { told: { action: "alias-removed", target: name }, result: undefined };
  });
}
