import type { FastifyReply } from "fastify";

const heartbeatMs = 15_000;

/** Writes one `data:` line of JSON per event, waits when the reader is slow, and keeps proxies awake with comments. */
export class EventStream {
  readonly #reply: FastifyReply;
  readonly #heartbeat: NodeJS.Timeout;
  #room: Promise<void> | undefined;

  constructor(reply: FastifyReply) {
    this.#reply = reply;
    reply.hijack();
    const headers = Object.fromEntries(Object.entries(reply.getHeaders()).filter(([, value]) => value !== undefined));
    reply.raw.writeHead(200, {
      ...(headers as Record<string, string>),
      "content-type": "text/event-stream; charset=utf-8",
      "cache-control": "no-cache, no-transform",
      "x-accel-buffering": "no",
    });
    reply.raw.flushHeaders();
    this.#heartbeat = setInterval(() => reply.raw.writableNeedDrain || this.#write(": ping\n\n"), heartbeatMs);
  }

  async send(event: unknown): Promise<void> {
    await this.write(`data: ${JSON.stringify(event)}\n\n`);
  }

  /** For events that nobody waits for: a reader who stands still goes without, rather than have them pile up here. */
  offer(event: unknown): void {
    if (!this.#reply.raw.writableNeedDrain) this.#write(`data: ${JSON.stringify(event)}\n\n`);
  }

  /** Events that are already in words. */
  async write(events: string): Promise<void> {
    if (this.#write(events)) return;
    const { raw } = this.#reply;
    // One pair of listeners, however many wait and however often.
    this.#room ??= new Promise<void>((resolve) => {
      const go = () => {
        raw.off("drain", go).off("close", go);
        this.#room = undefined;
        resolve();
      };
      raw.once("drain", go).once("close", go);
    });
    await this.#room;
  }

  /** What began as a success does not end as one: the record, the log and the measurements have this status and not 200. */
  breakOff(status: number): void {
    this.#reply.raw.statusCode = status;
  }

  end(): void {
    clearInterval(this.#heartbeat);
    this.#reply.raw.end();
  }

  #write(text: string): boolean {
    return this.#reply.raw.destroyed || this.#reply.raw.write(text);
  }
}
