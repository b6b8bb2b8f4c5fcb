import { Problem } from "../../platform/errors.ts";
import { isObject, type Json, parseObject } from "../json.ts";
import type { Gateway } from "../pipeline/gateway.ts";
import { callUpstream, fetchWhole, ownName } from "../upstreams/upstream.ts";
import { listModels, withMarkup } from "./list-models.ts";

const largestReply = 4_000_000;
const patienceMs = 10_000;

/** Who serves a model and at which prices, as the upstream tells it; where it does not, what its catalog says. */
export async function describeEndpoints(
  gateway: Gateway,
  id: string,
  patterns: readonly string[] | null | undefined,
): Promise<{ id: string }> {
  const listed = (await listModels(gateway, patterns)).find((model) => model.id === id);
  if (!listed) throw new Problem("model_not_found", `There is no model "${id}". See GET /models.`);
  const told = await askUpstreams(gateway, id);
  return { id, data: told ?? { ...listed, endpoints: listed.endpoints ?? [] } } as { id: string };
}

async function askUpstreams(gateway: Gateway, id: string): Promise<Json | undefined> {
  const routes = await gateway.routing.catalog.routesFor(id).catch(() => []);
  for (const { upstream, listed } of routes) {
    if (!listed) continue;
    const path = `${upstream.basePath}/models/${ownName(upstream, id).split("/").map(encodeURIComponent).join("/")}/endpoints`;
    try {
      const options = { signal: AbortSignal.timeout(patienceMs), limit: largestReply };
      const { status, body } = await fetchWhole(upstream, callUpstream(upstream, { method: "GET", path }), options);
      const told = parseObject(body.toString("utf8"));
      if (status === 200 && isObject(told?.data)) return withMarkup(told.data) as Json;
    } catch {
      // Most have no such page.
    }
  }
  return undefined;
}
