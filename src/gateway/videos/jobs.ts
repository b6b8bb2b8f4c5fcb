import type { Clock } from "../../platform/clock.ts";
import { Problem } from "../../platform/errors.ts";
import { newId } from "../../platform/ids.ts";
import type { Json } from "../upstreams/kinds/kind.ts";
import type { videoStates } from "./schema.ts";

interface VideoJob {
  id: string;
  workspaceId: string;
  status: (typeof videoStates)[number];
  result: Json | undefined;
  error: { message: string; type: string } | undefined;
  createdAtMs: number;
  endedAtMs: number;
}

const keptMs = 60 * 60_000;
const mostJobs = 1_000;

export interface VideoJobs {
  /** Runs in the background; the returned job is queued. */
  start(workspaceId: string, run: (onRunning: () => void) => Promise<Json>): Json;
  find(workspaceId: string, id: string): Json;
}

/** Videos that their callers come back for. In memory, for an hour: results are never written down, and a restart forgets
 *  them. */
export function createVideoJobs(clock: Clock): VideoJobs {
  const jobs = new Map<string, VideoJob>();

  function forgetOld(): void {
    for (const [id, job] of jobs) {
      if (job.endedAtMs + keptMs < clock.now()) jobs.delete(id);
    }
    if (jobs.size >= mostJobs) {
      throw new Problem("engine_busy", "Too many videos are being made. Try again later.", { retryAfterSeconds: 30 });
    }
  }

  return {
    start(workspaceId, run) {
      forgetOld();
      const job: VideoJob = {
        id: newId("vid_"),
        workspaceId,
        status: "queued",
        result: undefined,
        error: undefined,
        createdAtMs: clock.now(),
        endedAtMs: Number.POSITIVE_INFINITY,
      };
      jobs.set(job.id, job);
      const queued = describe(job);
      run(() => {
        job.status = "running";
      })
        .then(
          (result) => {
            job.status = "completed";
            job.result = result;
          },
          (error) => {
            job.status = "failed";
            const message = error instanceof Problem ? error.message : "The video could not be made.";
            job.error = { message, type: error instanceof Problem ? error.kind : "internal_error" };
          },
        )
        .finally(() => {
          job.endedAtMs = clock.now();
        });
      return queued;
    },
    find(workspaceId, id) {
      const job = jobs.get(id);
      if (!job || job.workspaceId !== workspaceId) throw new Problem("not_found", `There is no video "${id}".`);
      return describe(job);
    },
  };
}

function describe({ id, status, result, error, createdAtMs }: VideoJob): Json {
  return {
    ...(result ?? {}),
    id,
    object: "video.generation",
    created: Math.floor(createdAtMs / 1000),
    status,
    ...(error ? { error } : {}),
  };
}
