import type { FastifyRequest } from "fastify";
import { Problem } from "../../platform/errors.ts";
import { newId } from "../../platform/ids.ts";
import type { Queries } from "../../ports/database.ts";
import type { JobQueue } from "../../ports/job-queue.ts";
import type { Meter } from "../charging/meter.ts";
import { gatewayDialect } from "../dialect.ts";
import { openMeter } from "../forwarding/open-meter.ts";
import type { Gateway } from "../gateway.ts";
import type { Json } from "../upstreams/kinds/kind.ts";
import { awaitVideo, estimateVideo, patienceMs, settleVideo, startVideo, type UpstreamJob } from "./generate.ts";
import type { VideoWanted } from "./schema.ts";
import { createVideoStore, type Video } from "./store.ts";

const kind = "gateway-video";
const keptMs = 60 * 60_000;
const longestMs = 30 * 60_000;
const sweepMs = 10 * 60_000;
const mostRunning = 1_000;

const interrupted = { message: "The server ended while the video was being made. Try again.", type: "upstream_error" };

interface Payload extends UpstreamJob {
  id: string;
  keyId: string;
}

export interface VideoJobs {
  /** Begins in the background; the returned job is queued. */
  start(request: FastifyRequest, wanted: VideoWanted): Promise<Json>;
  find(workspaceId: string, id: string): Promise<Json>;
  /** Says of those that end with this process that they did. */
  stop(): Promise<void>;
}

/** Videos that their callers come back for. Once the upstream has named its job, any server can ask for it, so a restart loses
 *  nothing. Kept for an hour is where a video is; a result's own bytes are only ever in memory. */
export function createVideoJobs(gateway: Gateway, queries: Queries, queue: JobQueue): VideoJobs {
  const store = createVideoStore(queries);
  /** What this process knows better than the database: holds that are still open, and whole results. */
  const meters = new Map<string, Meter>();
  const results = new Map<string, Json>();
  /** Those that no upstream has named yet: they end with this process. */
  const running = new Set<string>();
  const now = () => new Date(gateway.clock.now());
  const sweep = () => store.forget(new Date(gateway.clock.now() - keptMs), new Date(gateway.clock.now() - longestMs));
  const sweeper = setInterval(() => void sweep().catch(() => {}), sweepMs);
  sweeper.unref();

  queue.work<Payload>(
    kind,
    async ({ payload, workspaceId }, signal) => {
      await finish(payload.id, () => resume(payload, workspaceId!, signal), signal);
    },
    { concurrency: mostRunning },
  );

  async function begin(id: string, request: FastifyRequest, wanted: VideoWanted): Promise<void> {
    await finish(id, async () => {
      const { meter, seconds, first } = await startVideo(gateway, request, wanted);
      if ("result" in first) return settleVideo(meter, first.result, seconds);
      meters.set(id, meter);
      const { keyId, workspace } = request.caller;
      const payload: Payload = { ...first.job, id, keyId };
      await queries.transaction(async (within) => {
        await store.name(within, id);
        await queue.enqueue({ kind, payload, workspaceId: workspace.id, within });
      });
      return undefined;
    });
  }

  async function resume(job: Payload, workspaceId: string, signal: AbortSignal): Promise<Json> {
    const upstream = gateway.upstreams.find(({ name }) => name === job.upstream);
    if (!upstream)
      throw new Problem("gateway_unavailable", "The upstream that made this video is no longer configured.");
    const meter = meters.get(job.id) ?? (await holdAgain(job, workspaceId));
    meters.set(job.id, meter);
    return settleVideo(meter, await awaitVideo(upstream, job, signal), job.seconds);
  }

  /** Another process began it, whose hold has gone back. The video is made by now: what is left of the balance will do. */
  async function holdAgain({ keyId, model, seconds, upstream }: Payload, workspaceId: string): Promise<Meter> {
    const routes = await gateway.catalog.routesFor(model);
    const route = routes.find((one) => one.upstream.name === upstream);
    const caller = { caller: { keyId, workspace: { id: workspaceId } }, usage: {} };
    const { wanted } = estimateVideo([route?.listed], seconds);
    const about = { endpoint: "videos/generations" as const, model };
    const meter = await openMeter(gateway, caller, about, { wanted, least: 1n }, upstream);
    meter.servedBy(upstream, route?.listed?.prices, route?.upstream.kind.isReasoningExtra ?? false);
    return meter;
  }

  /** Writes down how it ended; nothing while it goes on elsewhere, or when only this process ends. */
  async function finish(id: string, work: () => Promise<Json | undefined>, signal?: AbortSignal): Promise<void> {
    try {
      const result = await work();
      if (!result) return;
      results.set(id, result);
      setTimeout(() => results.delete(id), keptMs).unref();
      await store.end(id, { result }, now());
    } catch (error) {
      if (signal?.aborted) throw error;
      const isOurs = error instanceof Problem;
      const message = isOurs ? error.message : "The video could not be made.";
      await store.end(
        id,
        { error: { message, type: isOurs ? gatewayDialect.table[error.kind].type : "internal_error" } },
        now(),
      );
    }
    meters.get(id)?.release();
    meters.delete(id);
  }

  return {
    async start(request, wanted) {
      if (running.size >= mostRunning) {
        throw new Problem("engine_busy", "Too many videos are being made. Try again later.", { retryAfterSeconds: 30 });
      }
      const id = newId("vid_");
      const createdAt = now();
      await store.add(id, request.caller.workspace.id, createdAt);
      running.add(id);
      begin(id, request, wanted)
        .catch((error) => gateway.log.error({ error: String(error) }, "a video was lost"))
        .finally(() => running.delete(id));
      return describe({ id, status: "queued", result: null, error: null, createdAt });
    },
    async find(workspaceId, id) {
      const video = await store.find(workspaceId, id);
      if (!video || isForgotten(video)) throw new Problem("not_found", `There is no video "${id}".`);
      return describe(asItIs(video));
    },
    async stop() {
      clearInterval(sweeper);
      await Promise.all([...running].map((id) => store.end(id, { error: interrupted }, now())));
    },
  };

  function isForgotten({ endedAt }: Video): boolean {
    return endedAt !== null && endedAt.getTime() + keptMs < gateway.clock.now();
  }

  function asItIs(video: Video): Video {
    const result = results.get(video.id);
    if (result) return { ...video, status: "completed", result };
    if (video.status !== "queued") return video;
    const isGivenUp = video.createdAt.getTime() + patienceMs < gateway.clock.now();
    return isGivenUp ? { ...video, status: "failed", error: interrupted } : { ...video, status: "running" };
  }
}

function describe({
  id,
  status,
  result,
  error,
  createdAt,
}: Pick<Video, "id" | "status" | "result" | "error" | "createdAt">): Json {
  return {
    ...(result ?? {}),
    id,
    object: "video.generation",
    created: Math.floor(createdAt.getTime() / 1000),
    status,
    ...(error ? { error } : {}),
  };
}
