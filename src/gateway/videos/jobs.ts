import type { FastifyRequest } from "fastify";
import type { ParkedHold } from "../../credits/parked-hold.ts";
import { Problem } from "../../platform/errors.ts";
import { newId } from "../../platform/ids.ts";
import type { Queries } from "../../ports/database.ts";
import type { JobQueue } from "../../ports/job-queue.ts";
import { Meter } from "../charging/meter.ts";
import type { Metered } from "../charging/request-kinds.ts";
import { gatewayDialect } from "../dialect.ts";
import type { Json } from "../json.ts";
import type { Gateway } from "../pipeline/gateway.ts";
import { awaitVideo, patienceMs, settleVideo, startVideo, type UpstreamJob } from "./generate.ts";
import type { VideoWanted } from "./schema.ts";
import { createVideoStore, type Outcome, type Video } from "./store.ts";

const kind = "gateway-video";
const keptMs = 60 * 60_000;
const longestMs = 30 * 60_000;
const sweepMs = 10 * 60_000;
const mostRunning = 1_000;
const watchMs = 5_000;
/** Its upstream goes on whatever happens here, and is paid. */
const maxAttempts = 20;

const interrupted = { message: "The server ended while the video was being made. Try again.", type: "upstream_error" };

interface Payload extends UpstreamJob {
  id: string;
  about: Metered;
  /** What was set aside for it, in pico-dollars. */
  hold: { id: string; amount: string };
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
  /** What this process knows better than the database: whole results. */
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
      const parked = parkedOf(payload, workspaceId!);
      await parked.keep();
      // Whoever began it was told that it failed, or its last worker died between its end and the word of it.
      if (await store.isOver(payload.id)) return queries.transaction((within) => parked.end(within));
      const outcome = await outcomeOf(() => resume(payload, parked, signal), signal);
      await queries.transaction(async (within) => {
        const isFirst = await store.end(within, payload.id, outcome, now());
        await (isFirst ? parked : parkedOf(payload, workspaceId!)).end(within);
      });
      if ("result" in outcome) keepResult(payload.id, outcome.result);
    },
    {
      concurrency: mostRunning,
      async onFailed({ payload, workspaceId }) {
        await queries.transaction(async (within) => {
          await store.end(within, payload.id, { error: interrupted }, now());
          await parkedOf(payload, workspaceId!).end(within);
        });
      },
    },
  );

  function parkedOf({ id, hold }: Payload, workspaceId: string): ParkedHold {
    return gateway.books.parked(id, { id: hold.id, workspaceId, amount: BigInt(hold.amount) });
  }

  async function begin(id: string, request: FastifyRequest, wanted: VideoWanted): Promise<void> {
    const outcome = await outcomeOf(async () => {
      const { meter, seconds, first } = await startVideo(gateway, request, wanted);
      try {
        if ("result" in first) return settleVideo(meter, first.result, seconds);
        await handOn(id, request, first.job, meter);
        return undefined;
      } finally {
        meter.release();
      }
    });
    if (!outcome) return;
    if ("result" in outcome) keepResult(id, outcome.result);
    await store.end(queries, id, outcome, now());
  }

  /** From here on it is any server's: its job, and the money that is held for it. */
  async function handOn(id: string, { caller }: FastifyRequest, job: UpstreamJob, meter: Meter): Promise<void> {
    const { id: holdId, amount } = meter.hold;
    const payload: Payload = { ...job, id, about: meter.about, hold: { id: holdId, amount: amount.toString() } };
    const parked = await queries.transaction(async (within) => {
      await store.name(within, id);
      await queue.enqueue({ kind, payload, workspaceId: caller.workspace.id, maxAttempts, within });
      return gateway.books.park(meter.hold, id, within);
    });
    parked();
    const end = meter.handOver();
    if (!meter.onEnd) return;
    // The key's day and month keep room for it here, until it is in what the database says they have come to.
    const watch = setInterval(async () => {
      if (!(await store.isOver(id).catch(() => false))) return;
      clearInterval(watch);
      end();
    }, watchMs);
    watch.unref();
  }

  async function resume(job: Payload, parked: ParkedHold, signal: AbortSignal): Promise<Json> {
    const { about, model, upstream: name } = job;
    const upstream = gateway.routing.upstreams.find((one) => one.name === name);
    if (!upstream)
      throw new Problem("gateway_unavailable", "The upstream that made this video is no longer configured.");
    const routes = await gateway.routing.catalog.routesFor(model);
    const listed = routes.find((one) => one.upstream === upstream)?.listed;
    const meter = new Meter({ books: parked, hold: parked.hold, log: gateway.log, about, usage: {} });
    meter.servedBy(name, listed?.prices, upstream.kind.isReasoningExtra ?? false);
    return settleVideo(meter, await awaitVideo(upstream, job, signal), job.seconds);
  }

  function keepResult(id: string, result: Json): void {
    results.set(id, result);
    setTimeout(() => results.delete(id), keptMs).unref();
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
      await Promise.all([...running].map((id) => store.end(queries, id, { error: interrupted }, now())));
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

/** How it ended; undefined while it goes on elsewhere. Throws when only this process ends. */
async function outcomeOf(work: () => Promise<Json>, signal?: AbortSignal): Promise<Outcome>;
async function outcomeOf(work: () => Promise<Json | undefined>): Promise<Outcome | undefined>;
async function outcomeOf(work: () => Promise<Json | undefined>, signal?: AbortSignal): Promise<Outcome | undefined> {
  try {
    const result = await work();
    return result && { result };
  } catch (error) {
    if (signal?.aborted) throw error;
    const isOurs = error instanceof Problem;
    const message = isOurs ? error.message : "The video could not be made.";
    return { error: { message, type: isOurs ? gatewayDialect.table[error.kind].type : "internal_error" } };
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
