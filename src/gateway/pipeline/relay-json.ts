import type { Pico } from "../../credits/money.ts";
import type { Problem } from "../../platform/errors.ts";
import { readWhole } from "../../ports/model-upstream.ts";
import { readCost, readUsage } from "../charging/read-usage.ts";
import { replyTokens } from "../charging/text-tokens.ts";
import { isObject, type Json, parseObject } from "../json.ts";
import type { Upstream } from "../upstreams/upstream.ts";
import { nothingInside, problemInside } from "../upstreams/upstream-problem.ts";
import { billingWords, failuresIn, hideBilling, replaceCost, rewordErrors } from "./redact.ts";
import { type Replying, replyHeaders } from "./replying.ts";
import { settle } from "./settle.ts";

const largestReply = 128_000_000;

/** Reads the whole reply, settles, and passes it on: the upstream's own bytes unless something in them must not leave. */
export async function relayJson<Wanted extends { model: string }>(
  replying: Replying<Wanted>,
): Promise<Problem | undefined> {
  const { context, attempt, meter } = replying;
  const { reply, route } = attempt;
  const { gateway, outlet } = context;
  const bytes = await readReply(replying);
  if (!Buffer.isBuffer(bytes)) return bytes;
  const text = bytes.toString("utf8");
  const body = parseObject(text);
  if (!body) return nothingInside("something unreadable");
  const problem = problemOf(route.upstream, body);
  if (problem) return problem;
  attempt.accept();
  const sent = body.usage === undefined || isObject(body.usage) ? body : { ...body, usage: undefined };
  const reading = readUsage(sent);
  if (reading) meter.observe(reading);
  // Nothing leaves before its charge is on the disk.
  await new Promise<void>((onWritten) => {
    gateway.books.together(() => settleReply(replying, sent), onWritten);
    // The record of usage goes with those of the same turn, as the charge does.
    (context.reply.raw as { book?(status: number): void }).book?.(reply.status);
  });
  const written = writeReply(replying, bytes, text, body, meter.charged);
  const type = reply.header("content-type") ?? "application/json";
  outlet.send({ status: reply.status, type, body: written, headers: replyHeaders(replying) });
  return undefined;
}

/** What came in the upstream's own shape leaves in OpenAI's. */
export async function relayOwnShape<Wanted extends { model: string }>(
  replying: Replying<Wanted>,
): Promise<Problem | undefined> {
  const { context, attempt, meter } = replying;
  const { endpoint, outlet, request } = context;
  const { route } = attempt;
  const bytes = await readReply(replying);
  if (!Buffer.isBuffer(bytes)) return bytes;
  const body = parseObject(bytes.toString("utf8"));
  const write = body && endpoint.ownShape!(route.upstream)!.read(body);
  if (!write) return nothingInside("nothing of what was asked for");
  attempt.accept();
  const { type, body: written, told } = write(request.body);
  const reading = readUsage(body);
  if (reading?.cost !== undefined) meter.observe(reading);
  settle(context, route, meter, { body: told });
  outlet.send({ status: 200, type, body: written, headers: replyHeaders(replying) });
  return undefined;
}

/** All of a reply, or why there is none. Throws when the caller has hung up and the upstream stops with it. */
async function readReply<Wanted extends { model: string }>({
  context,
  attempt,
}: Replying<Wanted>): Promise<Buffer | Problem> {
  try {
    return await readWhole(attempt.reply, largestReply);
  } catch (cause) {
    const { signal } = context.request;
    if (signal.aborted && cause === signal.reason) throw cause;
    return nothingInside("half of its reply", cause);
  }
}

/** An error that came as a success, or a success that holds nothing. */
function problemOf(upstream: Upstream, body: Json): Problem | undefined {
  for (const name of products) if ((body[name] as string | unknown[] | undefined)?.length) return undefined;
  const isError = isObject(body.error) || (typeof body.error === "string" && body.error !== "");
  if (isError) return problemInside(upstream, body);
  return mayBeEmpty(body) ? undefined : nothingInside("a reply with nothing in it");
}

/** Where the dialects have what was made. */
const products = ["choices", "data", "output", "content", "results", "text", "images", "embeddings", "ranking"];

/** Silence, a model that had nothing to say to what it was told, and a response that is made in the background. */
function mayBeEmpty({ text, stop_reason: reason, object }: Json): boolean {
  return typeof text === "string" || typeof reason === "string" || object === "response";
}

function settleReply<Wanted extends { model: string }>(
  { context, attempt, meter }: Replying<Wanted>,
  body: Json,
): void {
  const { reply, route } = attempt;
  const { costHeader } = route.upstream.kind;
  const id = body.id ?? body.generationId;
  settle(context, route, meter, {
    body,
    header: costHeader === undefined ? undefined : readCost(reply.header(costHeader)),
    // With a price its tokens can be counted.
    reference: typeof id === "string" && !meter.prices ? id : undefined,
    outputTokens: () => replyTokens(body),
  });
}

function writeReply<Wanted extends { model: string }>(
  { context, attempt, body: sent }: Replying<Wanted>,
  bytes: Buffer,
  text: string,
  body: Json,
  charge: Pico | undefined,
): string | Buffer {
  const { endpoint, gateway, request } = context;
  const { upstream } = attempt.route;
  const { translation } = sent;
  const failures = failuresIn(body);
  const isAdapted = translation !== undefined || endpoint.adapt !== undefined;
  if (!isAdapted && !failures) {
    const replaced = replaceCost(bytes, text, body, charge);
    if (replaced) return replaced;
  }
  const isReworded = failures !== undefined && rewordErrors(upstream, failures);
  // What is put into other words anyway need not stay byte for byte.
  const tellsCost = gateway.tellsCost || request.headers["x-svc-usage-cost"] === "1" || translation !== undefined;
  const isChanged = tellsCost || text.includes("\\u00") || billingWords.test(text);
  const known = isReworded ? JSON.stringify(body) : text;
  const hidden = isChanged ? hideBilling(known, body, charge, { tellsCost }) : known;
  const shown = hidden === text ? body : (JSON.parse(hidden) as Json);
  const adapted = translation ? translation.reply(shown) : endpoint.adapt?.(shown, request.body);
  if (adapted) return JSON.stringify(adapted);
  return hidden === text ? bytes : hidden;
}
