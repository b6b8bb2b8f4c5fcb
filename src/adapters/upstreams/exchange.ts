import type { UpstreamFlow, UpstreamHead, UpstreamReceiver } from "../../ports/model-upstream.ts";
import type { Connection } from "./connection.ts";

/** One request and whoever waits for its reply. Ends once. */
export class Exchange implements UpstreamFlow {
  /** The request, in one piece or two. */
  readonly pieces: readonly Buffer[];
  readonly #receiver: UpstreamReceiver;
  /** Undefined while it waits for one. */
  connection: Connection | undefined;
  /** A connection that had been used before ended without a word; it was asked again on a new one. */
  isRepeated = false;
  isOver = false;

  constructor(pieces: readonly Buffer[], receiver: UpstreamReceiver) {
    this.pieces = pieces;
    this.#receiver = receiver;
  }

  pause(): void {
    if (!this.isOver) this.connection?.pause();
  }

  resume(): void {
    if (!this.isOver) this.connection?.resume();
  }

  head(head: UpstreamHead): void {
    if (!this.isOver) this.#receiver.onHead(head, this);
  }

  data(chunk: Buffer): void {
    if (!this.isOver) this.#receiver.onData(chunk);
  }

  end(): void {
    if (this.isOver) return;
    this.isOver = true;
    this.#receiver.onEnd();
  }

  /** Never on the stack of whoever sends or breaks off: they have not yet got what they need to handle it. */
  fail(error: Error): void {
    if (this.isOver) return;
    this.isOver = true;
    queueMicrotask(() => this.#receiver.onFailure(error));
  }

  breakOff(): void {
    if (this.isOver) return;
    this.fail(new AbortedError());
    this.connection?.destroy();
  }
}

class AbortedError extends Error {
  constructor() {
    super("broken off");
    this.name = "AbortedError";
  }
}
