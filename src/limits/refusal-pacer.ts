import { setTimeout } from "node:timers/promises";
import { makeRoom } from "../platform/make-room.ts";

/** Several wrong uploads in a row, as people make them, are answered at once. */
const freeBytes = 32e6;
/** What the server reads of one caller's refused bodies in the long run; reading and looking at a megabyte takes some 10 ms. */
const bytesPerMs = 2e6 / 1000;
/** A refusal without a body is not for nothing either: 250 a second. */
const leastBytes = 8000;
/** A person waits for one refusal, and not for long. Who waits for more at once than this is a program that does not listen. */
const patientAtOnce = 8;
const longestDelayMs = { patient: 5000, other: 20_000 };
const mostHolders = 10_000;

interface Holder {
  /** Refused lately. */
  bytes: number;
  /** When `bytes` was last looked at. */
  atMs: number;
  waiting: number;
}

type Wait = (ms: number) => Promise<unknown>;

/** Makes whoever goes on sending what is refused wait for the refusals. They make the server read megabytes for nothing, faster than
 *  it could read anything useful; while a refusal waits, the rest of its body stays in the sender's hands. */
export class RefusalPacer {
  readonly #now: () => number;
  readonly #wait: Wait;
  readonly #holders = new Map<string, Holder>();

  constructor(now: () => number = () => performance.now(), wait: Wait = setTimeout) {
    this.#now = now;
    this.#wait = wait;
  }

  /** Counts a refused request. Resolves when it is time to answer. */
  async next(key: string, bodyBytes: number): Promise<void> {
    const holder = this.#find(key);
    const nowMs = this.#now();
    const before = Math.max(0, holder.bytes - (nowMs - holder.atMs) * bytesPerMs);
    const longestMs = longestDelayMs[holder.waiting < patientAtOnce ? "patient" : "other"];
    // What would wait for longer is not remembered for longer either.
    const most = freeBytes + longestDelayMs.other * bytesPerMs;
    holder.bytes = Math.min(most, before + Math.max(leastBytes, bodyBytes));
    holder.atMs = nowMs;
    if (before > freeBytes) await this.#hold(holder, Math.min(longestMs, (before - freeBytes) / bytesPerMs));
  }

  async #hold(holder: Holder, delayMs: number): Promise<void> {
    holder.waiting += 1;
    await this.#wait(delayMs);
    holder.waiting -= 1;
  }

  #find(key: string): Holder {
    const known = this.#holders.get(key);
    if (known) return known;
    makeRoom(this.#holders, mostHolders);
    const holder = { bytes: 0, atMs: this.#now(), waiting: 0 };
    this.#holders.set(key, holder);
    return holder;
  }
}
