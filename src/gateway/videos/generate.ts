import type { FastifyRequest } from "fastify";
import type { Pico } from "../../credits/money.ts";
import { Problem } from "../../platform/errors.ts";
import { costOfSeconds } from "../charging/cost.ts";
import { estimateUnits } from "../charging/estimate.ts";
import type { Meter } from "../charging/meter.ts";
import { highest } from "../charging/prices.ts";
import { readUsage } from "../charging/read-usage.ts";
import { editBody } from "../forwarding/edit-body.ts";
import { hideBilling } from "../forwarding/hide-billing.ts";
import { type Started, startRequest } from "../forwarding/start-request.ts";
import type { Gateway } from "../gateway.ts";
import { isObject, type Json } from "../upstreams/kinds/kind.ts";
import { openReply } from "../upstreams/live-reply.ts";
import { callUpstream, pathOf, type Upstream } from "../upstreams/upstream.ts";
import type { VideoWanted } from "./schema.ts";
import { readVercelVideos, vercelStartCall, vercelStatusCall } from "./vercel-video.ts";

const usualSeconds = 10;
const largestReply = 256_000_000;
const pollMs = 3_000;
const patienceMs = 15 * 60_000;

/** Makes a video: one request where the upstream answers with the result, start and polling where it has jobs. */
export async function generateVideo(
  gateway: Gateway,
  request: FastifyRequest,
  wanted: VideoWanted,
  signal: AbortSignal,
): Promise<Json> {
  const seconds = wanted.duration ?? usualSeconds;
  const started = await startRequest(gateway, request, {
    endpoint: "videos/generations",
    model: wanted.model,
    estimate(listed) {
      const prices = listed.map((one) => one?.prices);
      const price = highest([undefined, ...prices.map((one) => one?.videoSecond)]);
      return estimateUnits(price === undefined ? 1 : seconds, price, undefined, 0);
    },
    callFor({ upstream }) {
      if (upstream.kind.name === "vercel") return callUpstream(upstream, vercelStartCall(wanted, request.id));
      const path = pathOf(upstream, "videos/generations");
      const body = editBody(request.rawBody, wanted, upstream.kind, { asksUsage: false });
      return path === undefined ? undefined : callUpstream(upstream, { path, body, contentType: "application/json" });
    },
  });
  const { meter } = started;
  try {
    const result = await awaitResult(started, wanted, signal);
    hideBilling(result, settleVideo(meter, result, seconds));
    return result;
  } finally {
    meter.release();
  }
}

async function awaitResult({ live, route, meter }: Started, wanted: VideoWanted, signal: AbortSignal): Promise<Json> {
  const { upstream } = route;
  const first = parse(await live.whole(largestReply).catch((cause) => fail("broke off its reply", cause)));
  if (upstream.kind.name === "vercel") return pollVercel(upstream, first, wanted, signal);
  // OpenRouter and OpenAI-like servers answer with a job; others with the result itself.
  const isJob = typeof first.id === "string" && typeof first.status === "string" && !isEnd(first.status);
  if (!isJob) return first;
  meter.remark(first.id as string);
  const path = jobPath(upstream, first);
  for (const deadline = Date.now() + patienceMs; Date.now() < deadline; ) {
    await pause(signal);
    const job = await fetchJson(upstream, callUpstream(upstream, { method: "GET", path }), signal);
    if (job.status === "failed" || job.status === "cancelled") fail("could not make the video");
    if (isEnd(String(job.status))) {
      delete job.polling_url;
      return job;
    }
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

async function pollVercel(upstream: Upstream, first: Json, wanted: VideoWanted, signal: AbortSignal): Promise<Json> {
  for (const deadline = Date.now() + patienceMs; Date.now() < deadline; ) {
    await pause(signal);
    const job = await fetchJson(upstream, callUpstream(upstream, vercelStatusCall(wanted, first)), signal);
    if (job.status === "completed") return readVercelVideos(job, wanted);
    if (job.status === "error" || job.status === "cancelled") fail("could not make the video");
  }
  return fail("did not finish the video in time");
}

function settleVideo(meter: Meter, result: Json, seconds: number): Pico | undefined {
  const reading = readUsage(result);
  if (reading) meter.observe(reading);
  const known = meter.cost();
  const price = meter.prices?.videoSecond;
  const charge = known ? meter.chargeFor(known.cost, known.source) : undefined;
  if (known?.source === "reported") meter.settle(known.cost, known.source);
  else if (price !== undefined) meter.settle(costOfSeconds(seconds, price), "units");
  else if (known) meter.settle(known.cost, known.source);
  else meter.settle(0n, "free");
  return charge;
}

async function fetchJson(
  upstream: Upstream,
  call: Parameters<typeof openReply>[1],
  signal: AbortSignal,
): Promise<Json> {
  // One poll that fails says nothing about the job.
  for (let tries = 1; ; tries++) {
    try {
      const live = await openReply(upstream.transport, call, signal);
      const body = await live.whole(largestReply);
      if (live.status >= 200 && live.status < 300) return parse(body);
      throw new Error(`status ${live.status}`);
    } catch (error) {
      if (tries >= 3 || signal.aborted) return fail("lost the video", error);
      await pause(signal);
    }
  }
}

function parse(bytes: Buffer): Json {
  try {
    const body: unknown = JSON.parse(bytes.toString("utf8"));
    if (isObject(body)) return body;
  } catch (cause) {
    return fail("sent something unreadable", cause);
  }
  return fail("sent something unreadable");
}

const isEnd = (status: string) => ["completed", "succeeded", "failed", "cancelled"].includes(status);

function fail(what: string, cause?: unknown): never {
  throw new Problem("upstream_failed", `The upstream gateway ${what}.`, { cause });
}

function pause(signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason);
    const onAbort = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener("abort", onAbort);
      resolve();
    }, pollMs);
    signal.addEventListener("abort", onAbort, { once: true });
  });
}
