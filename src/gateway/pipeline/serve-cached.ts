import type { Meter } from "../charging/meter.ts";
import type { RequestContext } from "./context.ts";
import { costHeaders } from "./replying.ts";
import { reserve } from "./reserve.ts";
import { alternativesOf, checkModel } from "./resolve.ts";
import type { CachedReply } from "./response-cache.ts";

type CachedContext<Wanted extends { model: string }> = Omit<RequestContext<Wanted>, "reply" | "trace">;

/** Of the request that was served first. */
const notRepeated = new Set(["content-type", "content-length", "x-svc-generation-id", "x-svc-cost-usd"]);

/** Passes on a reply that the same request got before. It is on record like any other, and costs nothing. */
export async function serveCached<Wanted extends { model: string }>(
  context: CachedContext<Wanted>,
  { status, headers, body, ageSeconds }: CachedReply,
): Promise<void> {
  const meter = await record(context).catch((error) => {
    context.recorder?.abandon();
    throw error;
  });
  const repeated = Object.entries(headers).filter(([name]) => !notRepeated.has(name));
  const told = [...repeated.flat(), ...costHeaders(meter), "x-svc-cache", "hit", "age", String(ageSeconds)];
  const type = headers["content-type"] ?? "application/json";
  context.outlet.send({ status, type, body, headers: told });
}

async function record<Wanted extends { model: string }>(context: CachedContext<Wanted>): Promise<Meter> {
  const { gateway, endpoint, request } = context;
  const { model } = request.body;
  // Another key of the workspace may have asked for what this one may not use.
  for (const other of endpoint.takesAlternatives ? alternativesOf(request.body) : [])
    checkModel(request.caller.models, other);
  const about = { endpoint: endpoint.name, model, upstream: "cache" };
  // Like a model of this process: it is free, and needs a balance above zero.
  const meter = await reserve(gateway, request, about, { wanted: 1n, least: 1n });
  await new Promise<void>((onWritten) => {
    gateway.books.together(() => meter.settle(0n, "cached"), onWritten);
  });
  return meter;
}
