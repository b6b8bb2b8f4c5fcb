import { serialize } from "node:v8";
import { partBytes, problemToWire, split, type ToNode, windowSize } from "./protocol.ts";

/** One job that this machine does for another. */
export class ServedJob {
  readonly #abort = new AbortController();
  readonly #send: (messages: ToNode[]) => void;
  #unsent: ToNode[] = [];
  #unsentBytes = 0;
  readonly #parts: Uint8Array[] = [];
  readonly #input: Promise<Uint8Array>;
  #haveInput: (input: Uint8Array) => void = () => {};
  #place = 0;
  #sent = 0;
  #taken = 0;
  #wake: (() => void) | undefined;

  constructor(send: (messages: ToNode[]) => void) {
    this.#send = send;
    this.#input = new Promise((resolve) => {
      this.#haveInput = resolve;
    });
  }

  /** What is said in one turn of the event loop goes in one message: a quick job is agreed to, done and ended in one. */
  answer(message: ToNode): void {
    this.#unsent.push(message);
    this.#unsentBytes += message.type === "part" ? message.bytes.length : 0;
    if (this.#unsentBytes >= partBytes) this.#flush();
    else if (this.#unsent.length === 1) setImmediate(() => this.#flush());
  }

  #flush(): void {
    if (this.#unsent.length > 0) this.#send(this.#unsent);
    this.#unsent = [];
    this.#unsentBytes = 0;
  }

  takeInput(bytes: Uint8Array, isLast: boolean): void {
    this.#parts.push(bytes);
    if (isLast) this.#haveInput(this.#parts.length === 1 ? bytes : Buffer.concat(this.#parts));
  }

  /** Runs it and sends what comes of it, never more than a window ahead of the reader. */
  async run(work: (input: Uint8Array, signal: AbortSignal) => AsyncIterable<unknown>): Promise<void> {
    const { signal } = this.#abort;
    try {
      const input = await Promise.race([this.#input, this.#aborted()]);
      for await (const value of work(input, signal)) {
        if (signal.aborted) return;
        for (const part of split(serialize(value))) this.answer({ type: "part", place: this.#place++, ...part });
        this.#sent += 1;
        await this.#roomToSend();
      }
      this.answer({ type: "end", place: this.#place++ });
    } catch (error) {
      // Nobody wants to hear about the abort that was asked for.
      if (!signal.aborted) this.answer({ type: "error", place: this.#place++, error: problemToWire(error) });
    }
  }

  acknowledge(count: number): void {
    this.#taken = Math.max(this.#taken, count);
    this.#wake?.();
  }

  cancel(): void {
    this.#abort.abort(new Error("the caller has left"));
    this.#wake?.();
  }

  #aborted(): Promise<never> {
    const { signal } = this.#abort;
    return new Promise((_, reject) => {
      signal.addEventListener("abort", () => reject(signal.reason), { once: true });
    });
  }

  async #roomToSend(): Promise<void> {
    while (this.#sent - this.#taken >= windowSize && !this.#abort.signal.aborted) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }
}
