import { lockObjectPrototype } from "../../../platform/lock-object-prototype.ts";
import { type FromChild, type ToChild, toWire, windowSize } from "./protocol.ts";

/** One thing an engine can do. Yields results; should look at `signal` between steps. */
export type Task<Context> = (input: never, context: Context, signal: AbortSignal) => AsyncIterable<unknown>;

export interface ChildEngine<Settings, Context> {
  /** Called once, before the first task. What it returns is handed to every task. */
  load(settings: Settings): Promise<Context>;
  tasks: Record<string, Task<Context>>;
}

/** The child's side of the bargain: call it once at the top of an engine child's module. */
export function serveChild<Settings, Context>(engine: ChildEngine<Settings, Context>): void {
  if (!process.send) throw new Error("This file is an engine child and is started by the server.");
  lockObjectPrototype();
  const running = new Map<number, RunningJob>();
  let context: Context | undefined;

  const send = (message: FromChild): void => {
    if (process.connected) process.send?.(message);
  };

  process.on("message", (message: ToChild) => {
    if (message.type === "load") {
      engine.load(message.settings as Settings).then(
        (loaded) => {
          context = loaded;
          send({ type: "ready" });
        },
        (error) => send({ type: "load-failed", error: toWire(error) }),
      );
    } else if (message.type === "start") {
      const job = new RunningJob();
      running.set(message.id, job);
      void runJob(message.id, message.task, message.input, job).finally(() => running.delete(message.id));
    } else if (message.type === "ack") {
      running.get(message.id)?.acknowledge();
    } else if (message.type === "cancel") {
      running.get(message.id)?.cancel();
    } else {
      send({ type: "pong", rssBytes: process.memoryUsage.rss() });
    }
  });
  // The server is gone, so nobody waits for an answer any more.
  process.on("disconnect", () => process.exit(0));
  send({ type: "booted" });

  async function runJob(id: number, name: string, input: unknown, job: RunningJob): Promise<void> {
    try {
      const task = engine.tasks[name];
      if (!task) throw new Error(`This engine has no task "${name}".`);
      for await (const value of task(input as never, context as Context, job.signal)) {
        if (job.signal.aborted) break;
        send({ type: "chunk", id, value });
        await job.roomToSend();
      }
      send({ type: "end", id });
    } catch (error) {
      // After a cancel nobody wants to hear about the abort that it caused.
      if (job.signal.aborted) send({ type: "end", id });
      else send({ type: "error", id, error: toWire(error) });
    }
  }
}

class RunningJob {
  readonly #abort = new AbortController();
  #unacknowledged = 0;
  #wake: (() => void) | undefined;

  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  async roomToSend(): Promise<void> {
    this.#unacknowledged += 1;
    while (this.#unacknowledged >= windowSize && !this.signal.aborted) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  acknowledge(): void {
    this.#unacknowledged -= 1;
    this.#wake?.();
  }

  cancel(): void {
    this.#abort.abort();
    this.#wake?.();
  }
}
