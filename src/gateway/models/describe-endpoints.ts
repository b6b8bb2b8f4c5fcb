import { Problem } from "../../platform/errors.ts";
import { patient } from "../forwarding/hang-up.ts";
import type { Gateway } from "../gateway.ts";
import { isObject, type Json } from "../upstreams/kinds/kind.ts";
import { openReply } from "../upstreams/live-reply.ts";
import { callUpstream } from "../upstreams/upstream.ts";
import { listModels, withMarkup } from "./list-models.ts";

const largestReply = 4_000_000;

/** Who serves a model and at which prices, as the upstream tells it; where it does not, what its catalog says. */
export async function describeEndpoints(gateway: Gateway, id: string): Promise<{ id: string }> {
  const listed = (await listModels(gateway)).find((model) => model.id === id);
  if (!listed) throw new Problem("model_not_found", `There is no model "${id}". See GET /models.`);
  const told = await askUpstreams(gateway, id);
  return { id, data: told ?? { ...listed, endpoints: listed.endpoints ?? [] } } as { id: string };
}

async function askUpstreams(gateway: Gateway, id: string): Promise<Json | undefined> {
  const routes = await Promise.resolve(gateway.catalog.routesFor(id)).catch(() => []);
  for (const { upstream, listed } of routes) {
    if (!listed) continue;
    const path = `${upstream.basePath}/models/${id.split("/").map(encodeURIComponent).join("/")}/endpoints`;
    try {
      const live = await openReply(upstream.transport, callUpstream(upstream, { method: "GET", path }), patient);
      const body: unknown = JSON.parse((await live.whole(largestReply)).toString("utf8"));
      if (live.status === 200 && isObject(body) && isObject(body.data)) return withMarkup(body.data) as Json;
    } catch {
      // Most have no such page.
    }
  }
  return undefined;
}
