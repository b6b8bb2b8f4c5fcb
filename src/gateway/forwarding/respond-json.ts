import type { FastifyReply } from "fastify";
import type { Pico } from "../../credits/money.ts";
import { Problem } from "../../platform/errors.ts";
import type { Meter } from "../charging/meter.ts";
import { readCost, readUsage } from "../charging/read-usage.ts";
import type { Gateway } from "../gateway.ts";
import { isObject, type Json } from "../upstreams/kinds/kind.ts";
import { hideBilling, replaceCost } from "./hide-billing.ts";
import { Outlet, type Recorder } from "./outlet.ts";
import { estimateProduced } from "./settle-unknown.ts";
import type { Started } from "./start-request.ts";

const largestReply = 128_000_000;

export interface JsonReply {
  /** Changes the parsed reply, or returns undefined to leave it. */
  adapt?(body: Json, bytes: Buffer): Json | undefined;
  /** What the request took where the upstream reports nothing. */
  settle?(meter: Meter, body: Json): boolean;
  recorder?: Recorder | undefined;
  inputBytes: number;
}

/** Reads the whole reply, settles, and passes it on: the upstream's own bytes unless something in them must not leave. */
export async function respondJson(
  gateway: Gateway,
  reply: FastifyReply,
  started: Started,
  options: JsonReply,
): Promise<FastifyReply> {
  const { live, meter, route } = started;
  const outlet = new Outlet(reply, options.recorder);
  // An upstream that stops with the connection is stopped; one that bills on is heard to the end.
  if (route.upstream.kind.afterHangUp === "cancel") outlet.onGone(() => live.abort());
  let bytes: Buffer;
  try {
    bytes = await live.whole(largestReply);
  } catch (error) {
    meter.release();
    throw new Problem("upstream_failed", "The upstream gateway broke off its reply.", { cause: error });
  }
  const text = bytes.toString("utf8");
  const body = parseBody(text, meter);
  const sent = body.usage === undefined || isObject(body.usage) ? body : { ...body, usage: undefined };
  const reading = readUsage(sent);
  if (reading) meter.observe(reading);
  const cost = meter.cost();
  const charge = cost ? meter.chargeFor(cost.cost, cost.source) : undefined;
  await gateway.books.together(() => settleReply(gateway, started, sent, bytes.length, options));
  const out = writeReply(bytes, text, body, charge, options);
  outlet.start(live.status, {
    "content-type": live.header("content-type") ?? "application/json",
    "content-length": String(Buffer.byteLength(out)),
  });
  outlet.end(out);
  outlet.complete();
  return reply;
}

/** OpenRouter keeps slow connections awake with blank lines before the JSON; JSON does not mind them. */
function parseBody(text: string, meter: Meter): Json {
  try {
    const body: unknown = JSON.parse(text);
    if (isObject(body)) {
      if (isObject(body.error) && body.choices === undefined && body.data === undefined)
        throw new Error("an error as 200");
      return body;
    }
  } catch (error) {
    meter.release();
    throw new Problem("upstream_failed", "The upstream gateway sent something unreadable.", { cause: error });
  }
  meter.release();
  throw new Problem("upstream_failed", "The upstream gateway sent something unreadable.");
}

function settleReply(
  gateway: Gateway,
  { live, meter, route }: Started,
  body: Json,
  bytes: number,
  options: JsonReply,
): void {
  const header = readCost(live.header("x-litellm-response-cost"));
  const known = meter.cost();
  const estimate = () => estimateProduced(meter, options.inputBytes, Math.ceil(bytes / 5));
  const id = body.id ?? body.generationId;
  if (known?.source === "reported") meter.settle(known.cost, known.source);
  else if (header !== undefined) meter.settle(header, "header");
  else if (options.settle?.(meter, body)) return;
  else if (known) meter.settle(known.cost, known.source);
  else if (route.upstream.kind.generationPath && typeof id === "string" && !meter.prices) {
    meter.remark(id);
    gateway.lookUps.start(route.upstream, id, meter, estimate);
  } else estimate();
}

/** As text where possible: Node sends it together with the head, and bytes by themselves. */
function writeReply(
  bytes: Buffer,
  text: string,
  body: Json,
  charge: Pico | undefined,
  options: JsonReply,
): string | Buffer {
  if (!options.adapt) {
    const replaced = replaceCost(text, body, charge);
    if (replaced !== undefined) return replaced;
  }
  const isChanged = hideBilling(body, charge);
  const adapted = options.adapt?.(body, bytes);
  if (adapted) return JSON.stringify(adapted);
  return isChanged ? JSON.stringify(body) : bytes;
}
