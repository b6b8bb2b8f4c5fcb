import { freemem } from "node:os";
import type { Log } from "../platform/log.ts";

const ENOUGH_BYTES = 2 * 1024 ** 3;
/** The start comes first: requests that are already waiting are answered before anything is loaded ahead. */
const DELAY_MS = 500;

/** Something that the first caller should not have to wait for. */
export interface WarmTask {
  /** For /readyz: "speech af_heart". */
  readonly what: string;
  run(signal: AbortSignal): Promise<unknown>;
}

export interface WarmReport {
  readonly what: string;
  /** `skipped`: memory was short. */
  state: "waiting" | "loading" | "ready" | "failed" | "skipped";
}

/** Does each task once after the start, one after the other, as long as memory allows. Every other model is still loaded when it is
 *  first asked for. */
export function warmUp(
  listTasks: () => Promise<readonly WarmTask[]>,
  log: Log,
  freeBytes = freeMemory,
): { stop(): void; report(): readonly WarmReport[] } {
  const stopping = new AbortController();
  let reports: WarmReport[] = [];
  const timer = setTimeout(() => {
    // Whoever asks next is told what is wrong.
    void go().catch((error) => log.debug({ error: String(error) }, "nothing was loaded ahead"));
  }, DELAY_MS);
  timer.unref();

  async function go(): Promise<void> {
    const tasks = await listTasks();
    reports = tasks.map(({ what }) => ({ what, state: "waiting" }));
    for (const [index, task] of tasks.entries()) {
      if (stopping.signal.aborted) return;
      const report = reports[index]!;
      if (freeBytes() < ENOUGH_BYTES) {
        report.state = "skipped";
        continue;
      }
      report.state = "loading";
      const startedAt = performance.now();
      try {
        await task.run(stopping.signal);
        report.state = "ready";
        log.debug({ what: task.what, ms: Math.round(performance.now() - startedAt) }, "loaded ahead");
      } catch (error) {
        report.state = "failed";
        log.debug({ what: task.what, error: String(error) }, "not loaded ahead");
      }
    }
  }

  return {
    report: () => reports,
    stop() {
      clearTimeout(timer);
      stopping.abort(new Error("the server is shutting down"));
    },
  };
}

/** What the machine or, where it is less, the container has left. */
function freeMemory(): number {
  const limit = process.constrainedMemory() ?? 0;
  return limit > 0 ? Math.min(freemem(), limit - process.memoryUsage.rss()) : freemem();
}
