import { join } from "node:path";
import { serveChild } from "../host/serve-child.ts";
import { Pipeline } from "./pipeline.ts";
import { translateText } from "./translate-text.ts";

export interface ApertiumChildSettings {
  readonly modesFolder: string;
  /** Modes whose programs are kept running; each takes some ten processes and tens of megabytes. */
  readonly mostPipelines: number;
}

export interface ApertiumJob {
  readonly text: string;
  /** Modes, one after the other: `eng-cat`, `cat-fra`. */
  readonly chain: readonly string[];
}

interface Pipelines {
  readonly settings: ApertiumChildSettings;
  readonly running: Map<string, Pipeline>;
}

const IDLE_MS = 15 * 60_000;

serveChild({
  async load(settings: ApertiumChildSettings): Promise<Pipelines> {
    const running = new Map<string, Pipeline>();
    setInterval(() => stopIdle(running, 0, Date.now() - IDLE_MS), 60_000).unref();
    // Their groups are their own, so they must not outlive this process.
    process.once("exit", () => {
      for (const pipeline of running.values()) pipeline.kill("was stopped");
    });
    return { settings, running };
  },
  tasks: {
    async *translate({ text, chain }: ApertiumJob, pipelines: Pipelines) {
      const modes = chain.map((mode) => getPipeline(mode, pipelines));
      yield await translateText(text, async (stream) => {
        let current = stream;
        for (const mode of modes) current = await mode.translate(current);
        return current;
      });
    },
  },
});

function getPipeline(mode: string, { settings, running }: Pipelines): Pipeline {
  const known = running.get(mode);
  if (known && !known.isDead) return known;
  stopIdle(running, settings.mostPipelines - 1, Number.POSITIVE_INFINITY);
  const pipeline = new Pipeline(join(settings.modesFolder, `${mode}.mode`));
  running.set(mode, pipeline);
  return pipeline;
}

/** Stops the longest unused ones: all that were last used before a time, or as many as are over the limit. */
function stopIdle(running: Map<string, Pipeline>, keep: number, beforeMs: number): void {
  const idle = [...running].filter(([, pipeline]) => pipeline.isIdle).sort((a, b) => a[1].lastUsedMs - b[1].lastUsedMs);
  for (const [mode, pipeline] of idle) {
    const isOver = Number.isFinite(beforeMs) ? pipeline.lastUsedMs < beforeMs : running.size > keep;
    if (!isOver && !pipeline.isDead) continue;
    pipeline.kill("was stopped");
    running.delete(mode);
  }
}
