import type { Pico } from "../../credits/money.ts";
import type { Problem } from "../../platform/errors.ts";
import type { Meter } from "../charging/meter.ts";
import { readCost, readUsage } from "../charging/read-usage.ts";
import { replyTokens } from "../charging/text-tokens.ts";
import type { Gateway } from "../gateway.ts";
import { isObject, type Json } from "../upstreams/kinds/kind.ts";
import type { Upstream } from "../upstreams/upstream.ts";
import { nothingInside, problemInside, withoutTraces } from "../upstreams/upstream-problem.ts";
import { billingWords, hideBilling, replaceCost } from "./hide-billing.ts";
import { type Recorder, type ReplyWay, sendWhole } from "./outlet.ts";
import { proceed } from "./proceed.ts";
import { estimateProduced } from "./settle-unknown.ts";
import { costHeaders, type Started } from "./start-request.ts";

const largestReply = 128_000_000;

export interface JsonReply {
  /** Changes the parsed reply, or returns undefined to leave it. */
  adapt?: ((body: Json, bytes: Buffer) => Json | undefined) | undefined;
  /** What the request took where the upstream reports nothing. */
  settle?: ((meter: Meter, body: Json) => boolean) | undefined;
  recorder?: Recorder | undefined;
  /** What the model read, for replies that do not tell. */
  inputTokens(): number;
  /** Nothing has reached the client. */
  onFailure(error: unknown): void;
}

/** Reads the whole reply, settles, and passes it on: the upstream's own bytes unless something in them must not leave. */
export function respondJson(gateway: Gateway, reply: ReplyWay, started: Started, options: JsonReply): void {
  const { live, meter, route, hangUp, stopsWithCaller } = started;
  const fail = (error: unknown) => {
    meter.release();
    options.onFailure(error);
  };
  if (stopsWithCaller) hangUp.addEventListener("abort", () => live.abort());
  live.readWhole(largestReply, {
    onWhole: (bytes) => proceed(() => bytes, settleAndSend, fail),
    onFailure(cause) {
      if (hangUp.aborted && stopsWithCaller) {
        started.settleUnheard();
        fail(hangUp.reason);
      } else started.refuse(nothingInside("half of its reply", cause));
    },
  });

  function settleAndSend(bytes: Buffer): void {
    const text = bytes.toString("utf8");
    const body = parseBody(text);
    const problem = body ? problemOf(route.upstream, body) : nothingInside("something unreadable");
    if (!body || problem) {
      started.refuse(problem!);
      return;
    }
    started.accept();
    const sent = body.usage === undefined || isObject(body.usage) ? body : { ...body, usage: undefined };
    const reading = readUsage(sent);
    if (reading) meter.observe(reading);
    const known = meter.cost();
    const charge = known && meter.chargeFor(known.cost, known.source);
    gateway.books.together(
      () => settleReply(gateway, started, sent, options),
      () => proceed(() => writeReply(route.upstream, bytes, text, body, charge, options), sendOut, fail),
    );
  }

  function sendOut(body: string | Buffer): void {
    const type = live.header("content-type") ?? "application/json";
    sendWhole(reply, { status: live.status, type, body, headers: costHeaders(meter) }, options.recorder);
  }
}

/** OpenRouter keeps slow connections awake with blank lines before the JSON; JSON does not mind them. */
function parseBody(text: string): Json | undefined {
  try {
    const body: unknown = JSON.parse(text);
    return isObject(body) ? body : undefined;
  } catch {
    return undefined;
  }
}

/** An error that came as a success, with nothing beside it. */
function problemOf(upstream: Upstream, body: Json): Problem | undefined {
  const isError = isObject(body.error) || (typeof body.error === "string" && body.error !== "");
  if (!isError || products.some((name) => Array.isArray(body[name]) && body[name].length > 0)) return undefined;
  return problemInside(upstream, body);
}

/** Where the dialects have what was made. */
const products = ["choices", "data", "output", "content", "results"];

function settleReply(gateway: Gateway, { live, meter, route }: Started, body: Json, options: JsonReply): void {
  const header = readCost(live.header("x-litellm-response-cost"));
  const known = meter.cost();
  const estimate = () => estimateProduced(meter, options.inputTokens(), replyTokens(body));
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
  upstream: Upstream,
  bytes: Buffer,
  text: string,
  body: Json,
  charge: Pico | undefined,
  options: JsonReply,
): string | Buffer {
  if (!options.adapt && !text.includes('"error"')) {
    const replaced = replaceCost(bytes, text, body, charge);
    if (replaced) return replaced;
  }
  const isReworded = rewordErrors(upstream, body);
  const hasSecrets = text.includes("\\u00") || billingWords.some((word) => text.includes(word));
  const known = isReworded ? JSON.stringify(body) : text;
  const hidden = hasSecrets ? hideBilling(known, body, charge) : known;
  const adapted = options.adapt?.(hidden === text ? body : (JSON.parse(hidden) as Json), bytes);
  if (adapted) return JSON.stringify(adapted);
  return hidden === text ? bytes : hidden;
}

/** Errors beside what was made, as a whole or of one choice: without what would tell where they come from. */
function rewordErrors(upstream: Upstream, body: Json): boolean {
  const choices = Array.isArray(body.choices) ? body.choices.filter(isObject) : [];
  let isChanged = false;
  for (const place of [body, ...choices]) {
    const { error } = place;
    if (isObject(error) && typeof error.message === "string") error.message = withoutTraces(error.message, upstream);
    else if (typeof error === "string") place.error = withoutTraces(error, upstream);
    else continue;
    isChanged = true;
  }
  return isChanged;
}
