import type { Atto, Pico } from "../../credits/money.ts";
import { Problem } from "../../platform/errors.ts";
import { readUsage } from "../charging/read-usage.ts";
import { replyTokens } from "../charging/text-tokens.ts";
import type { Gateway } from "../gateway.ts";
import { isObject, type Json } from "../upstreams/kinds/kind.ts";
import type { Upstream } from "../upstreams/upstream.ts";
import { nothingInside, problemInside, withoutTraces } from "../upstreams/upstream-problem.ts";
import type { Started } from "./asking.ts";
import { billingWords, hideBilling, replaceCost } from "./hide-billing.ts";
import { costHeaders } from "./open-meter.ts";
import { type Recorder, type ReplyWay, sendWhole } from "./outlet.ts";
import { parseObject, readWhole } from "./read-whole.ts";
import { estimateProduced } from "./settle-unknown.ts";

export interface JsonReply {
  /** Changes the parsed reply, or returns undefined to leave it. */
  adapt?: ((body: Json) => Json | undefined) | undefined;
  /** Charges by something else than tokens, or says false. */
  settle(body: Json): boolean;
  /** What the reply's headers say that it cost. */
  reported: Atto | undefined;
  recorder?: Recorder | undefined;
  /** What the model read, for replies that do not tell. */
  inputTokens(): number;
  /** Adds the cost to a usage that has none. */
  tellsCost: boolean;
}

/** Reads the whole reply, settles, and passes it on: the upstream's own bytes unless something in them must not leave. */
export async function respondJson(
  gateway: Gateway,
  reply: ReplyWay,
  started: Started,
  options: JsonReply,
): Promise<Problem | undefined> {
  const { live, meter, route } = started;
  const whole = readWhole(started);
  const bytes = whole instanceof Promise ? await whole : whole;
  if (bytes instanceof Problem) return bytes;
  const text = bytes.toString("utf8");
  const body = parseObject(text);
  if (!body) return nothingInside("something unreadable");
  const problem = problemOf(route.upstream, body);
  if (problem) return problem;
  const sent = body.usage === undefined || isObject(body.usage) ? body : { ...body, usage: undefined };
  const reading = readUsage(sent);
  if (reading) meter.observe(reading);
  // Nothing leaves before its charge is on the disk.
  await new Promise<void>((onWritten) => {
    gateway.books.together(() => settleReply(gateway, started, sent, options), onWritten);
    // The record of usage goes with those of the same turn, as the charge does.
    reply.raw.book?.(live.status);
  });
  const written = writeReply(route.upstream, bytes, text, body, meter.charged, options);
  const type = live.header("content-type") ?? "application/json";
  sendWhole(reply, { status: live.status, type, body: written, headers: costHeaders(meter) }, options.recorder);
  return undefined;
}

/** An error that came as a success, or a success that holds nothing. */
function problemOf(upstream: Upstream, body: Json): Problem | undefined {
  for (const name of products) if ((body[name] as string | unknown[] | undefined)?.length) return undefined;
  const isError = isObject(body.error) || (typeof body.error === "string" && body.error !== "");
  if (isError) return problemInside(upstream, body);
  return mayBeEmpty(body) ? undefined : nothingInside("a reply with nothing in it");
}

/** Where the dialects have what was made. */
const products = ["choices", "data", "output", "content", "results", "text"];

/** Silence, a model that had nothing to say to what it was told, and a response that is made in the background. */
function mayBeEmpty({ text, stop_reason: reason, object }: Json): boolean {
  return typeof text === "string" || typeof reason === "string" || object === "response";
}

function settleReply(gateway: Gateway, { meter, route }: Started, body: Json, options: JsonReply): void {
  const known = meter.cost();
  const estimate = () => estimateProduced(meter, options.inputTokens(), replyTokens(body));
  const id = body.id ?? body.generationId;
  if (known?.source === "reported") meter.settle(known.cost, known.source);
  else if (options.reported !== undefined) meter.settle(options.reported, "header");
  else if (options.settle(body)) return;
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
  const failures = failuresIn(body);
  if (!options.adapt && !failures) {
    const replaced = replaceCost(bytes, text, body, charge);
    if (replaced) return replaced;
  }
  const isReworded = failures !== undefined && rewordErrors(upstream, failures);
  const isChanged = options.tellsCost || text.includes("\\u00") || billingWords.test(text);
  const known = isReworded ? JSON.stringify(body) : text;
  const hidden = isChanged ? hideBilling(known, body, charge, options) : known;
  const adapted = options.adapt?.(hidden === text ? body : (JSON.parse(hidden) as Json));
  if (adapted) return JSON.stringify(adapted);
  return hidden === text ? bytes : hidden;
}

/** Where errors stand beside what was made: of the whole or of one choice. */
function failuresIn(body: Json): Json[] | undefined {
  const choices = Array.isArray(body.choices) ? body.choices : [];
  const isFailed = (place: unknown) => isObject(place) && place.error != null;
  return isFailed(body) || choices.some(isFailed) ? [body, ...choices].filter(isFailed) : undefined;
}

/** Without what would tell where they come from. */
function rewordErrors(upstream: Upstream, places: Json[]): boolean {
  let isChanged = false;
  for (const place of places) {
    const { error } = place;
    if (isObject(error) && typeof error.message === "string") error.message = withoutTraces(error.message, upstream);
    else if (typeof error === "string") place.error = withoutTraces(error, upstream);
    else continue;
    isChanged = true;
  }
  return isChanged;
}
