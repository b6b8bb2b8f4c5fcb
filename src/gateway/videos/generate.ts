import type { FastifyRequest } from "fastify";
import { Problem } from "../../platform/errors.ts";
import type { UpstreamCall } from "../../ports/model-upstream.ts";
import { costOfSeconds } from "../charging/cost.ts";
import { type Estimate, estimateUnits } from "../charging/estimate.ts";
import type { Meter } from "../charging/meter.ts";
import { highest } from "../charging/prices.ts";
import { readUsage } from "../charging/read-usage.ts";
import { startRequest } from "../forwarding/asking.ts";
import { editBody } from "../forwarding/edit-body.ts";
import { patient } from "../forwarding/hang-up.ts";
import { hideBilling } from "../forwarding/hide-billing.ts";
import { costHeaders } from "../forwarding/open-meter.ts";
import type { WholeReply } from "../forwarding/outlet.ts";
import { parseObject } from "../forwarding/read-whole.ts";
import type { Gateway } from "../gateway.ts";
import type { Json, ListedModel } from "../upstreams/kinds/kind.ts";
import { openReply, type StopSignal } from "../upstreams/live-reply.ts";
import { pause } from "../upstreams/pause.ts";
import { callUpstream, pathOf, type Upstream } from "../upstreams/upstream.ts";
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
    const result = "result" in first ? first.result : await awaitVideo(upstream, first.job, patient);
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
  const { live, route, meter } = await startRequest(gateway, request, {
    endpoint: "videos/generations",
    model,
    estimate: (listed) => estimateVideo(listed, seconds),
    calls: { callFor: ({ upstream }) => callFor(upstream, request, wanted) },
  });
  const { upstream } = route;
  try {
    const reply = parse(await live.whole(largestReply).catch((cause) => fail("broke off its reply", cause)));
    return { meter, upstream, seconds, first: readFirst(upstream, reply, model, seconds) };
  } catch (error) {
    meter.release();
    throw error;
  }
}

function callFor(upstream: Upstream, request: FastifyRequest, wanted: VideoWanted): UpstreamCall | undefined {
  const { videos } = upstream.kind;
  if (videos) return callUpstream(upstream, videos.start(wanted, request.id));
  const path = pathOf(upstream, "videos/generations");
  const body = editBody(request.rawBody, wanted, upstream.kind, { asksUsage: false });
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
export async function awaitVideo(upstream: Upstream, job: UpstreamJob, signal: StopSignal): Promise<Json> {
  const { videos } = upstream.kind;
  const call = callUpstream(
    upstream,
    videos ? videos.status(job.model, job.operation) : { method: "GET", path: job.path ?? "" },
  );
  for (const deadline = Date.now() + patienceMs; Date.now() < deadline; ) {
    await pause(pollMs, signal);
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
  if (URL.canParse(given, upstream.transport.origin)) {
    const url = new URL(given, upstream.transport.origin);
    if (given !== "" && url.origin === upstream.transport.origin) return url.pathname + url.search;
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

async function fetchJson(upstream: Upstream, call: Parameters<typeof openReply>[1], signal: StopSignal): Promise<Json> {
  // One poll that fails says nothing about the job.
  for (let tries = 1; ; tries++) {
    try {
      const live = await openReply(upstream.transport, call, signal);
      const body = await live.whole(largestReply);
      if (live.status >= 200 && live.status < 300) return parse(body);
      throw new Error(`status ${live.status}`);
    } catch (error) {
      if (tries >= 3 || signal.aborted) return fail("lost the video", error);
      await pause(pollMs, signal);
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
