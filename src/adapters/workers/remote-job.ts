import { deserialize } from "node:v8";
import { Problem } from "../../platform/errors.ts";
import { problemFromWire, type ToNode } from "./protocol.ts";

/** The worker, or the way to it, is gone. */
export class WorkerLost extends Error {}

/** The worker is busy, or others would be quicker. */
export class Declined extends Error {
  readonly worker: string;
  readonly waitMs: number;
  readonly retryAfterSeconds: number;

  constructor({ worker, waitMs, retryAfterSeconds }: Extract<ToNode, { type: "decline" }>) {
    super("declined");
    this.worker = worker;
    this.waitMs = waitMs;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** What callers are told when machines are gone: others take over, or they come back, within moments. */
export const retryAfterSeconds = 1;

/** No worker serves the lane. */
export class NobodyThere extends Problem {
  constructor(engine: string) {
    super("engine_unavailable", `No machine that does this work (${engine}) is there. Try again.`, {
      retryAfterSeconds,
    });
  }
}

/** One job on another machine, from the offer to its last result. */
export class RemoteJob {
  /** Who has it. */
  worker: string | undefined;
  isOver = false;
  heardAtMs = performance.now();
  /** Results that the caller has taken. */
  taken = 0;
  readonly #engine: string;
  readonly #arrived: unknown[] = [];
  #parts: Uint8Array[] = [];
  #nextPlace = 0;
  #failure: unknown;
  #wake: (() => void) | undefined;
  #unfollow: () => void = () => {};

  constructor(engine: string) {
    this.#engine = engine;
  }

  follow(signal: AbortSignal): void {
    const onAbort = () => {
      this.#failure ??= signal.reason;
      this.#arrived.length = 0;
      this.#wake?.();
    };
    if (signal.aborted) onAbort();
    signal.addEventListener("abort", onAbort, { once: true });
    this.#unfollow = () => signal.removeEventListener("abort", onAbort);
  }

  unfollow(): void {
    this.#unfollow();
  }

  /** Resolves when a worker has agreed to do it. */
  async accepted(withinMs: number): Promise<void> {
    const timer = setTimeout(() => this.lose(), withinMs);
    try {
      while (this.worker === undefined) {
        if (this.#failure) throw this.#failure;
        await this.#change();
      }
    } finally {
      clearTimeout(timer);
    }
  }

  async *results(): AsyncIterable<unknown> {
    for (;;) {
      if (this.#arrived.length > 0) {
        this.taken += 1;
        yield this.#arrived.shift();
      } else if (this.#failure) {
        throw this.#failure;
      } else if (this.isOver) {
        return;
      } else {
        await this.#change();
      }
    }
  }

  take(message: ToNode): void {
    this.heardAtMs = performance.now();
    if (this.isOver) return;
    if (message.type === "accept") this.worker = message.worker;
    else if (message.type === "decline") this.#fail(new Declined(message));
    else if (message.type === "unknown") this.lose();
    else if ("place" in message) this.#takeResult(message);
    this.#wake?.();
  }

  /** Nobody serves the lane, or the worker that had the job is no longer there. */
  nobody(): void {
    if (this.worker !== undefined) this.lose();
    else this.#fail(new NobodyThere(this.#engine));
  }

  lose(): void {
    this.#fail(new WorkerLost("the worker is gone"));
  }

  #takeResult(message: Extract<ToNode, { place: number }>): void {
    // Something on the way was lost: what follows would be put together wrongly.
    const isLost = message.place !== this.#nextPlace;
    this.#nextPlace += 1;
    if (isLost) {
      this.lose();
    } else if (message.type === "end") {
      this.isOver = true;
    } else if (message.type === "error") {
      this.isOver = true;
      this.#failure ??= problemFromWire(this.#engine, message.error);
    } else {
      this.#parts.push(message.bytes);
      if (!message.isLast) return;
      this.#arrived.push(deserialize(this.#parts.length === 1 ? this.#parts[0]! : Buffer.concat(this.#parts)));
      this.#parts = [];
    }
  }

  #fail(error: unknown): void {
    this.isOver = true;
    this.#failure ??= error;
    this.#wake?.();
  }

  #change(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }
}
