import { Problem } from "../errors.ts";

const longestWaitMs = 30_000;

interface Waiting {
  readonly bytes: number;
  readonly holder: string;
  admit(): void;
}

/** Bounds how many upload bytes are in memory at once. A request beyond it waits with its bytes still in the client's hands: they
 *  are not read from the socket before there is room. One holder gets half of it at most, so that others find room. */
export class BufferBudget {
  readonly #total: number;
  #free: number;
  readonly #held = new Map<string, number>();
  readonly #waiting: Waiting[] = [];

  constructor(total: number) {
    this.#total = total;
    this.#free = total;
  }

  get usedBytes(): number {
    return this.#total - this.#free;
  }

  /** Resolves with the function that gives the bytes back, which may be called more than once. */
  async acquire(wanted: number, holder: string): Promise<() => void> {
    const bytes = Math.min(wanted, this.#total);
    if (this.#fits(bytes) && this.#isWithinShare(bytes, holder) && !this.#isAheadOf(holder)) this.#take(bytes, holder);
    else await this.#wait(bytes, holder);
    let isReleased = false;
    return () => {
      if (isReleased) return;
      isReleased = true;
      this.#give(bytes, holder);
      this.#admitNext();
    };
  }

  #fits(bytes: number): boolean {
    return bytes <= this.#free;
  }

  /** A single upload is always within the share, however large it is. */
  #isWithinShare(bytes: number, holder: string): boolean {
    const held = this.#held.get(holder) ?? 0;
    return held === 0 || held + bytes <= this.#total / 2;
  }

  /** Whether somebody waits for room rather than for their own share: then nobody may slip past. */
  #isAheadOf(holder: string): boolean {
    return this.#waiting.some((one) => one.holder === holder || this.#isWithinShare(one.bytes, one.holder));
  }

  #take(bytes: number, holder: string): void {
    this.#free -= bytes;
    this.#held.set(holder, (this.#held.get(holder) ?? 0) + bytes);
  }

  #give(bytes: number, holder: string): void {
    this.#free += bytes;
    const left = this.#held.get(holder)! - bytes;
    if (left > 0) this.#held.set(holder, left);
    else this.#held.delete(holder);
  }

  #wait(bytes: number, holder: string): Promise<void> {
    return new Promise((resolve, reject) => {
      const entry: Waiting = {
        bytes,
        holder,
        admit: () => {
          clearTimeout(timer);
          this.#take(bytes, holder);
          resolve();
        },
      };
      const timer = setTimeout(() => {
        this.#waiting.splice(this.#waiting.indexOf(entry), 1);
        reject(new Problem("engine_busy", "Too many uploads at once. Try again in 10 s.", { retryAfterSeconds: 10 }));
        this.#admitNext();
      }, longestWaitMs);
      this.#waiting.push(entry);
    });
  }

  /** In the order they came; whoever has a full share is passed over, whoever merely needs more room is not. */
  #admitNext(): void {
    for (let place = 0; place < this.#waiting.length; ) {
      const entry = this.#waiting[place]!;
      if (!this.#isWithinShare(entry.bytes, entry.holder)) place += 1;
      else if (this.#fits(entry.bytes)) {
        this.#waiting.splice(place, 1);
        entry.admit();
      } else return;
    }
  }
}
