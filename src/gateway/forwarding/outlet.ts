import type { FastifyReply } from "fastify";

/** Keeps a copy of what leaves, for replies that may be asked for again. */
export interface Recorder {
  start(status: number, headers: Record<string, string>): void;
  write(chunk: Buffer | string): void;
  /** The reply is complete and may be replayed. */
  complete(): void;
}

/** The way to the client, past the framework: bytes leave as they come. */
export class Outlet {
  readonly #reply: FastifyReply;
  readonly #recorder: Recorder | undefined;
  #isStarted = false;

  constructor(reply: FastifyReply, recorder?: Recorder) {
    this.#reply = reply;
    this.#recorder = recorder;
  }

  get isStarted(): boolean {
    return this.#isStarted;
  }

  /** The client has hung up. */
  get isGone(): boolean {
    return this.#reply.raw.destroyed && !this.#reply.raw.writableFinished;
  }

  onGone(tell: () => void): void {
    const { raw } = this.#reply;
    raw.once("close", () => {
      if (!raw.writableFinished) tell();
    });
  }

  start(status: number, headers: Record<string, string>): void {
    this.#isStarted = true;
    this.#recorder?.start(status, headers);
    this.#reply.hijack();
    this.#reply.raw.writeHead(status, { ...ownHeaders(this.#reply), ...headers });
  }

  /** False when the client is slower than the upstream; `onRoom` is then told when there is room again. */
  write(chunk: Buffer | string, onRoom?: () => void): boolean {
    this.#recorder?.write(chunk);
    const { raw } = this.#reply;
    if (raw.destroyed || raw.write(chunk)) return true;
    if (onRoom) raw.once("drain", onRoom);
    return false;
  }

  /** The last bytes, if any. */
  end(chunk?: Buffer | string): void {
    if (chunk !== undefined) this.#recorder?.write(chunk);
    this.#reply.raw.end(chunk);
  }

  /** Says that what was sent is the whole, successful reply. */
  complete(): void {
    this.#recorder?.complete();
  }
}

/** What browsers need to know about pages says nothing about replies of an API, and would be half of a short one. */
const onlyForPages =
  /^(content-security-policy|cross-origin-(opener|embedder)-policy|origin-agent-cluster|referrer-policy|x-(dns-prefetch-control|download-options|frame-options|permitted-cross-domain-policies|xss-protection))$/;
const isForPages = new Map<string, boolean>();

function ownHeaders(reply: FastifyReply): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const [name, value] of Object.entries(reply.getHeaders())) {
    let skip = isForPages.get(name);
    if (skip === undefined) {
      skip = onlyForPages.test(name);
      isForPages.set(name, skip);
    }
    if (!skip && value !== undefined) kept[name] = value as string;
  }
  return kept;
}
