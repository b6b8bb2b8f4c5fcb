import { EventEmitter } from "node:events";
import type { Problem } from "../../platform/errors.ts";
import type { Bus } from "../../ports/bus.ts";
import type { JobQueue } from "../../ports/job-queue.ts";
import { sendWebhook } from "../webhooks/send.ts";
import { enqueueExtraction } from "./accept.ts";
import { presentExtraction } from "./present.ts";
import { type ExtractionTools, fail, runExtraction } from "./run-extraction.ts";
import type { ExtractionRow } from "./tables.ts";

export interface ExtractionWork {
  /** Resolves with the finished extraction, or with what it is when the time is over. */
  waitFor(id: string, waitMs: number, signal: AbortSignal): Promise<ExtractionRow | undefined>;
}

export interface WorkOptions {
  readonly retentionMs: number;
  readonly allowsPrivateWebhooks: boolean;
  /** Where servers tell each other what is finished, and the subject for it. */
  readonly bus: Bus;
  readonly finishedSubject: string;
  /** Whether this process reads documents itself. One that sends them to workers takes none while its way to them is lost. */
  readonly readsHere: boolean;
  /** How often a request that waits looks for itself, since a word on the bus may be lost or never be said. */
  readonly pollMs: number;
}

/** Enough to keep the engines busy while one key has long documents and others have short ones; each holds one upload in memory. */
const concurrency = 16;
const mostPerKey = 8;
/** No upload takes this long. */
const brokenOffAfterMs = 3_600_000;
const sweepEveryMs = 600_000;

/** Runs extractions and webhooks from the job queue, and removes what is too old. */
export function startExtractionWork(tools: ExtractionTools, jobs: JobQueue, options: WorkOptions): ExtractionWork {
  const { bus, finishedSubject } = options;
  const finished = new EventEmitter().setMaxListeners(0);
  bus.subscribe(finishedSubject, ({ data }) => finished.emit(Buffer.from(data).toString()));
  const announce = (id: string): void => {
    finished.emit(id);
    bus.publish(finishedSubject, Buffer.from(id));
  };
  jobs.work<{ extractionId: string }>(
    "extraction",
    async (job, signal) => {
      const id = job.payload.extractionId;
      const row = await runExtraction(tools, id, signal);
      announce(id);
      if (row?.webhookUrl)
        await jobs.enqueue({
          kind: "extraction-webhook",
          payload: { extractionId: id },
          workspaceId: row.workspaceId,
          maxAttempts: 8,
        });
    },
    {
      concurrency,
      mostPerTurn: mostPerKey,
      canWork: () => options.readsHere || bus.isUp,
      // A full queue empties within seconds to minutes.
      retryAfterMs: (attempt) => Math.min(30_000, 1000 * attempt),
      onFailed: async (job, error) => {
        await fail(tools, job.payload.extractionId, error as Problem);
        announce(job.payload.extractionId);
      },
    },
  );
  jobs.work<{ extractionId: string }>(
    "extraction-webhook",
    async (job, signal) => {
      const row = await tools.documents.findAny(job.payload.extractionId);
      if (!row?.webhookUrl) return;
      const body = JSON.stringify(presentExtraction(row));
      await sendWebhook({
        url: row.webhookUrl,
        body,
        secret: await tools.webhookSecrets.get(row.workspaceId),
        id: row.id,
        nowMs: tools.clock.now(),
        allowsPrivate: options.allowsPrivateWebhooks,
        signal,
      });
    },
    { concurrency: 4, retryAfterMs: (attempt) => Math.min(3_600_000, 2000 * 3 ** (attempt - 1)) },
  );
  const sweep = async (): Promise<void> => {
    if (options.retentionMs > 0)
      await tools.documents.removeOlderThan(new Date(tools.clock.now() - options.retentionMs));
    await tools.contents.removeUnused(new Date(tools.clock.now() - brokenOffAfterMs));
    await tools.documents.sealFormerRows();
    for (const row of await tools.documents.listUnfinished()) await enqueueExtraction(jobs, row);
  };
  const sweepQuietly = (): void => {
    sweep().catch((error: Error) => tools.log.warn({ error: error.message }, "old extractions could not be removed"));
  };
  setInterval(sweepQuietly, sweepEveryMs).unref();
  sweepQuietly();
  return {
    waitFor: async (id, waitMs, signal) => {
      const deadline = tools.clock.now() + waitMs;
      let wake = (): void => {};
      const onWord = (): void => wake();
      finished.on(id, onWord);
      signal.addEventListener("abort", onWord);
      try {
        for (;;) {
          // Listens before the row is read, so that nothing finished in between is missed.
          const woken = new Promise<void>((resolve) => {
            wake = resolve;
          });
          const row = await tools.documents.findAny(id);
          const leftMs = deadline - tools.clock.now();
          const isOver = !row || row.status === "completed" || row.status === "failed";
          if (isOver || leftMs <= 0 || signal.aborted) return row;
          const timer = setTimeout(wake, Math.min(options.pollMs, leftMs));
          await woken;
          clearTimeout(timer);
        }
      } finally {
        finished.off(id, onWord);
        signal.removeEventListener("abort", onWord);
      }
    },
  };
}
