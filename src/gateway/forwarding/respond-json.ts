import type { Pico } from "../../credits/money.ts";
import { Problem } from "../../platform/errors.ts";
import type { Meter } from "../charging/meter.ts";
import { readCost, readUsage } from "../charging/read-usage.ts";
import type { Gateway } from "../gateway.ts";
import { isObject, type Json } from "../upstreams/kinds/kind.ts";
import { hideBilling, replaceCost } from "./hide-billing.ts";
import { type Recorder, type ReplyWay, sendWhole } from "./outlet.ts";
import { proceed } from "./proceed.ts";
import { estimateProduced } from "./settle-unknown.ts";
import type { Started } from "./start-request.ts";

const largestReply = 128_000_000;

export interface JsonReply {
  /** Changes the parsed reply, or returns undefined to leave it. */
  adapt?: ((body: Json, bytes: Buffer) => Json | undefined) | undefined;
  /** What the request took where the upstream reports nothing. */
  settle?: ((meter: Meter, body: Json) => boolean) | undefined;
  recorder?: Recorder | undefined;
  inputBytes: number;
  /** Nothing has reached the client. */
  onFailure(error: unknown): void;
}

/** Reads the whole reply, settles, and passes it on: the upstream's own bytes unless something in them must not leave. */
export function respondJson(gateway: Gateway, reply: ReplyWay, started: Started, options: JsonReply): void {
  const { live, meter, route, hangUp } = started;
  const fail = (error: unknown) => {
    meter.release();
    options.onFailure(error);
  };
  // An upstream that stops with the connection is stopped; one that bills on is heard to the end.
  if (route.upstream.kind.afterHangUp === "cancel") hangUp.addEventListener("abort", () => live.abort());
  live.readWhole(largestReply, {
    onWhole: (bytes) => proceed(() => bytes, settleAndSend, fail),
    onFailure: (cause) => fail(new Problem("upstream_failed", "The upstream gateway broke off its reply.", { cause })),
  });

  function settleAndSend(bytes: Buffer): void {
    const text = bytes.toString("utf8");
    const body = parseBody(text);
    const sent = body.usage === undefined || isObject(body.usage) ? body : { ...body, usage: undefined };
    const reading = readUsage(sent);
    if (reading) meter.observe(reading);
    const known = meter.cost();
    const charge = known && meter.chargeFor(known.cost, known.source);
    gateway.books.together(
      () => settleReply(gateway, started, sent, bytes.length, options),
      () => proceed(() => writeReply(bytes, text, body, charge, options), sendOut, fail),
    );
  }

  function sendOut(body: string | Buffer): void {
    const type = live.header("content-type") ?? "application/json";
    sendWhole(reply, { status: live.status, type, body }, options.recorder);
  }
}

/** OpenRouter keeps slow connections awake with blank lines before the JSON; JSON does not mind them. */
function parseBody(text: string): Json {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch (cause) {
    throw new Problem("upstream_failed", "The upstream gateway sent something unreadable.", { cause });
  }
  const isError = isObject(body) && isObject(body.error) && body.choices === undefined && body.data === undefined;
  if (!isObject(body) || isError) {
    const cause = new Error(isError ? "an error as 200" : "no object");
    throw new Problem("upstream_failed", "The upstream gateway sent something unreadable.", { cause });
  }
  return body;
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

function writeReply(
  bytes: Buffer,
  text: string,
  body: Json,
  charge: Pico | undefined,
  options: JsonReply,
): string | Buffer {
  if (!options.adapt) {
    const replaced = replaceCost(bytes, text, body, charge);
    if (replaced) return replaced;
  }
  const isChanged = hideBilling(body, charge);
  const adapted = options.adapt?.(body, bytes);
  if (adapted) return JSON.stringify(adapted);
  return isChanged ? JSON.stringify(body) : bytes;
}
