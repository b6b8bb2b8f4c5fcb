import { Problem } from "../errors.ts";

const longestWaitMs = 30_000;

/** Bounds how many upload bytes are in memory at once. A request beyond it waits with its bytes still in the client's
 *  hands: they are not read from the socket before there is room. */
export class BufferBudget {
  readonly #total: number;
  #free: number;
  readonly #waiting: { bytes: number; admit: () => void }[] = [];

  constructor(total: number) {
    this.#total = total;
    this.#free = total;
  }

  get usedBytes(): number {
    return this.#total - this.#free;
  }

  /** Resolves with the function that gives the bytes back, which may be called more than once. */
  async acquire(wanted: number): Promise<() => void> {
    const bytes = Math.min(wanted, this.#total);
    if (this.#waiting.length > 0 || this.#free < bytes) await this.#wait(bytes);
    else this.#free -= bytes;
    let isReleased = false;
    return () => {
      if (isReleased) return;
      isReleased = true;
      this.#free += bytes;
      this.#admitNext();
    };
  }

  #wait(bytes: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const entry = { bytes, admit: () => {} };
      const timer = setTimeout(() => {
        this.#waiting.splice(this.#waiting.indexOf(entry), 1);
        reject(new Problem("engine_busy", "Too many uploads at once. Try again in 10 s.", { retryAfterSeconds: 10 }));
        this.#admitNext();
      }, longestWaitMs);
      entry.admit = () => {
        clearTimeout(timer);
        this.#free -= bytes;
        resolve();
      };
      this.#waiting.push(entry);
    });
  }

  #admitNext(): void {
    while (this.#waiting[0] && this.#waiting[0].bytes <= this.#free) this.#waiting.shift()!.admit();
  }
}
