import { setTimeout as sleep } from "node:timers/promises";
import type { FastifyRequest } from "fastify";
import { Problem } from "../../platform/errors.ts";
import { readWhole, type UpstreamCall } from "../../ports/model-upstream.ts";
import type { Route } from "../catalog/catalog.ts";
import { costOfSeconds } from "../charging/cost.ts";
import { type Estimate, estimateUnits } from "../charging/estimate.ts";
import type { Meter } from "../charging/meter.ts";
import type { ListedModel } from "../charging/prices.ts";
import { highest } from "../charging/prices.ts";
import { readUsage } from "../charging/read-usage.ts";
import type { Json } from "../json.ts";
import { parseObject } from "../json.ts";
import { askNext } from "../pipeline/ask.ts";
import { editBody } from "../pipeline/body.ts";
import type { Gateway } from "../pipeline/gateway.ts";
import type { WholeReply } from "../pipeline/outlet.ts";
import { hideBilling } from "../pipeline/redact.ts";
import { costHeaders } from "../pipeline/replying.ts";
import { reserve } from "../pipeline/reserve.ts";
import { resolve } from "../pipeline/resolve.ts";
import { Routing } from "../upstreams/routing.ts";
import { callUpstream, fetchWhole, ownName, pathOf, type Upstream } from "../upstreams/upstream.ts";
import type { VideoWanted } from "./schema.ts";

const usualSeconds = 10;
const largestReply = 256_000_000;
const pollMs = 3_000;
/** How long a video is waited for. */
export const patienceMs = 15 * 60_000;

/** A job of an upstream: enough to ask for it from anywhere, and nothing of what was asked for. */
export interface UpstreamJob {
  upstream: string;
  model: string;
  /** Of all videos together. */
  seconds: number;
  /** The upstream's name for it, or where it keeps it. */
  operation?: unknown;
  path?: string;
}

export interface StartedVideo {
  readonly meter: Meter;
  readonly upstream: Upstream;
  readonly seconds: number;
  /** The result where the upstream answers with it, its job where it has jobs. */
  readonly first: { result: Json } | { job: UpstreamJob; reference: string | undefined };
}

export type Made = Required<Pick<WholeReply, "headers">> & { readonly body: string };

/** Makes a video while the caller waits. An upstream's job goes on, and is billed, also when nobody waits any longer. */
export async function generateVideo(gateway: Gateway, request: FastifyRequest, wanted: VideoWanted): Promise<Made> {
  const { meter, upstream, seconds, first } = await startVideo(gateway, request, wanted);
  try {
    if (!("result" in first) && first.reference !== undefined) meter.remark(first.reference);
    const result = "result" in first ? first.result : await awaitVideo(upstream, first.job);
    const video = settleVideo(meter, result, seconds);
    return { body: JSON.stringify(video), headers: costHeaders(meter) };
  } finally {
    meter.release();
  }
}

export async function startVideo(
  gateway: Gateway,
  request: FastifyRequest,
  wanted: VideoWanted,
): Promise<StartedVideo> {
  const { model } = wanted;
  const seconds = secondsOf(wanted);
  const { routes, listed } = await resolve(gateway, request, { model });
  const about = { endpoint: "videos/generations", model, upstream: routes[0]!.upstream.name } as const;
  const meter = await reserve(gateway, request, about, estimateVideo(listed, seconds));
  try {
    const attempt = await askNext(
      {
        gateway,
        routing: new Routing(routes, { requestId: request.id, tenant: request.caller.workspace.id }),
        meter,
        calls: { callFor: (route) => callFor(route, request, wanted) },
        // A video takes as long as it takes.
        limits: { isStream: false, wholeMs: Number.POSITIVE_INFINITY },
        signal: request.signal,
        onAbandoned() {},
      },
      [],
    );
    attempt.accept();
    // From here on it is billed whether its caller waits or not.
    attempt.release();
    const { upstream, model: served } = attempt.route;
    const bytes = await readWhole(attempt.reply, largestReply).catch((cause) => fail("broke off its reply", cause));
    return { meter, upstream, seconds, first: readFirst(upstream, parse(bytes), served, seconds) };
  } catch (error) {
    meter.release();
    throw error;
  }
}

function callFor(route: Route, request: FastifyRequest, wanted: VideoWanted): UpstreamCall | undefined {
  const { upstream } = route;
  const { videos } = upstream.kind;
  const model = ownName(upstream, route.model);
  if (videos) return callUpstream(upstream, videos.start({ ...wanted, model }, request.id));
  const path = pathOf(upstream, "videos/generations");
  const body = editBody(request.rawBody, wanted, upstream.kind, { asksUsage: false, model });
  return path === undefined ? undefined : callUpstream(upstream, { path, body, contentType: "application/json" });
}

/** Of all videos together. */
export function secondsOf({ duration, n }: VideoWanted): number {
  return (duration ?? usualSeconds) * (n ?? 1);
}

export function estimateVideo(listed: readonly (ListedModel | undefined)[], seconds: number): Estimate {
  const price = highest([undefined, ...listed.map((one) => one?.prices?.videoSecond)]);
  return estimateUnits(price === undefined ? 1 : seconds, price, undefined, 0);
}

function readFirst(upstream: Upstream, reply: Json, model: string, seconds: number): StartedVideo["first"] {
  const job = { upstream: upstream.name, model, seconds };
  const { videos } = upstream.kind;
  if (videos) return { job: { ...job, operation: videos.nameOf(reply) }, reference: undefined };
  // OpenRouter and OpenAI-like servers answer with a job; others with the result itself.
  const isJob = typeof reply.id === "string" && typeof reply.status === "string" && !isEnd(reply.status);
  return isJob ? { job: { ...job, path: jobPath(upstream, reply) }, reference: reply.id as string } : { result: reply };
}

/** Asks for an upstream's job until it has ended. */
export async function awaitVideo(upstream: Upstream, job: UpstreamJob, given?: AbortSignal): Promise<Json> {
  const signal = given ?? new AbortController().signal;
  const { videos } = upstream.kind;
  const call = callUpstream(
    upstream,
    videos ? videos.status(ownName(upstream, job.model), job.operation) : { method: "GET", path: job.path ?? "" },
  );
  for (const deadline = Date.now() + patienceMs; Date.now() < deadline; ) {
    await sleep(pollMs, undefined, { signal });
    const state = await fetchJson(upstream, call, signal);
    const status = String(state.status);
    if (["failed", "cancelled", "error"].includes(status)) return fail("could not make the video");
    if (!isEnd(status)) continue;
    if (videos) return videos.read(state, job.model);
    delete state.polling_url;
    return state;
  }
  return fail("did not finish the video in time");
}

/** Only a path on the upstream's own host is followed. */
function jobPath(upstream: Upstream, job: Json): string {
  const given = typeof job.polling_url === "string" ? job.polling_url : "";
  if (URL.canParse(given, upstream.client.origin)) {
    const url = new URL(given, upstream.client.origin);
    if (given !== "" && url.origin === upstream.client.origin) return url.pathname + url.search;
  }
  return `${pathOf(upstream, "videos/generations")}/${encodeURIComponent(String(job.id))}`;
}

/** Charges for the video and returns the result as the caller may see it. */
export function settleVideo(meter: Meter, result: Json, seconds: number): Json {
  const reading = readUsage(result);
  if (reading) meter.observe(reading);
  const known = meter.cost();
  const price = meter.prices?.videoSecond;
  const charge = known ? meter.chargeFor(known.cost, known.source) : undefined;
  if (known?.source === "reported") meter.settle(known.cost, known.source);
  else if (price !== undefined) meter.settle(costOfSeconds(seconds, price), "units");
  else if (known) meter.settle(known.cost, known.source);
  else meter.settle(0n, "free");
  return JSON.parse(hideBilling(JSON.stringify(result), result, charge)) as Json;
}

async function fetchJson(upstream: Upstream, call: UpstreamCall, signal: AbortSignal): Promise<Json> {
  // One poll that fails says nothing about the job.
  for (let tries = 1; ; tries++) {
    try {
      const { status, body } = await fetchWhole(upstream, call, { signal, limit: largestReply });
      if (status >= 200 && status < 300) return parse(body);
      throw new Error(`status ${status}`);
    } catch (error) {
      if (tries >= 3 || signal.aborted) return fail("lost the video", error);
      await sleep(pollMs, undefined, { signal });
    }
  }
}

function parse(bytes: Buffer): Json {
  return parseObject(bytes.toString("utf8")) ?? fail("sent something unreadable");
}

const isEnd = (status: string) => ["completed", "succeeded", "failed", "cancelled"].includes(status);

function fail(what: string, cause?: unknown): never {
  throw new Problem("upstream_failed", `The upstream gateway ${what}.`, { cause });
}
