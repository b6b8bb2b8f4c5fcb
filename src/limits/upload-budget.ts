import type { IncomingMessage } from "node:http";
import { Problem } from "../platform/errors.ts";

/** Younger bodies have had no chance to show how fast they are. */
const youngMs = 1000;

export interface Upload {
  /** So many bytes more have come. */
  add(bytes: number): void;
  /** All of it has come: what is worked on is never given up for others. */
  complete(): void;
  release(): void;
  readonly isRefused: boolean;
}

interface Body {
  readonly holder: string;
  readonly sinceMs: number;
  bytes: number;
  isComplete: boolean;
  isRefused: boolean;
  refuse(problem: Problem): void;
}

/** Bounds how many upload bytes are in memory at once. Only what has come counts, whatever was declared; when there is no more room, the
 *  slowest bodies are refused, so that the others finish. One holder gets half of it at most, so that others find room. */
export class UploadBudget {
  readonly #total: number;
  readonly #now: () => number;
  #used = 0;
  readonly #bodies = new Set<Body>();
  readonly #heldBy = new Map<string, number>();

  constructor(total: number, now: () => number = () => performance.now()) {
    this.#total = total;
    this.#now = now;
  }

  get usedBytes(): number {
    return this.#used;
  }

  /** `refuse` is called when this body is given up for others; its bytes count no more from then on. */
  open(holder: string, refuse: (problem: Problem) => void): Upload {
    const body: Body = { holder, sinceMs: this.#now(), bytes: 0, isComplete: false, isRefused: false, refuse };
    this.#bodies.add(body);
    return {
      add: (bytes) => {
        if (!this.#bodies.has(body)) return;
        this.#count(body, bytes);
        this.#makeRoom(body);
      },
      complete: () => {
        body.isComplete = true;
      },
      release: () => this.#forget(body),
      get isRefused() {
        return body.isRefused;
      },
    };
  }

  #count(body: Body, bytes: number): void {
    body.bytes += bytes;
    this.#used += bytes;
    const held = (this.#heldBy.get(body.holder) ?? 0) + bytes;
    if (held > 0) this.#heldBy.set(body.holder, held);
    else this.#heldBy.delete(body.holder);
  }

  #forget(body: Body): void {
    if (this.#bodies.delete(body)) this.#count(body, -body.bytes);
  }

  #makeRoom(last: Body): void {
    const { holder } = last;
    if (this.#isBeyondShare(last))
      this.#refuseSlowest(
        (one) => one.holder === holder,
        () => this.#isBeyondShare(last),
      );
    if (this.#isFull())
      this.#refuseSlowest(
        () => true,
        () => this.#isFull(),
      );
  }

  /** A single upload is always within the share, however large it is. */
  #isBeyondShare({ holder, bytes }: Body): boolean {
    const held = this.#heldBy.get(holder) ?? 0;
    return held > this.#total / 2 && held > bytes;
  }

  /** A single upload always fits, too. */
  #isFull(): boolean {
    return this.#used > this.#total && this.#bodies.size > 1;
  }

  #refuseSlowest(isMeant: (body: Body) => boolean, isShort: () => boolean): void {
    const now = this.#now();
    const isYoung = ({ sinceMs }: Body) => now - sinceMs < youngMs;
    const perMs = ({ bytes, sinceMs }: Body) => bytes / (now - sinceMs);
    const coming = [...this.#bodies].filter((body) => !body.isComplete && isMeant(body));
    // Of the young ones those that came last.
    coming.sort((a, b) =>
      isYoung(a) || isYoung(b) ? Number(isYoung(a)) - Number(isYoung(b)) || b.sinceMs - a.sinceMs : perMs(a) - perMs(b),
    );
    for (const body of coming) {
      if (!isShort()) return;
      body.isRefused = true;
      this.#forget(body);
      body.refuse(
        new Problem("engine_busy", "Too many uploads at once. Try again in 10 s.", { retryAfterSeconds: 10 }),
      );
    }
  }
}

/** Counts a body as it comes. What comes of one that is refused is dropped, so that its sender can see the answer. */
export function watchUpload(raw: IncomingMessage, upload: Upload): void {
  const push = raw.push.bind(raw);
  raw.push = (chunk, encoding) => {
    if (chunk === null) upload.complete();
    else upload.add(chunk.length);
    return chunk !== null && upload.isRefused ? true : push(chunk, encoding);
  };
  if (raw.complete) upload.complete();
  upload.add(raw.readableLength);
}
