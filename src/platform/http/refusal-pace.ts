/** Several wrong uploads in a row, as people make them, are answered at once. */
const freeBytes = 32e6;
/** What the server reads of one caller's refused bodies in the long run; reading and looking at a megabyte takes some 10 ms. */
const bytesPerMs = 2e6 / 1000;
/** A refusal without a body is not for nothing either: 250 a second. */
const leastBytes = 8000;
const longestDelayMs = 5000;
const mostHolders = 10_000;

/** Tells how late a refusal should be. Whoever goes on sending what is refused makes the server read megabytes for nothing, faster
 *  than it could anything useful; the rest of a body stays in the sender's hands while its refusal waits. */
export class RefusalPace {
  readonly #now: () => number;
  /** Bytes that were refused lately, and when that was last looked at. */
  readonly #holders = new Map<string, { bytes: number; atMs: number }>();

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** Counts a refused request, and says after how many milliseconds to answer it. */
  delayMs(holder: string, bodyBytes: number): number {
    const atMs = this.#now();
    const known = this.#holders.get(holder);
    const before = known ? Math.max(0, known.bytes - (atMs - known.atMs) * bytesPerMs) : 0;
    if (!known && this.#holders.size >= mostHolders) this.#holders.clear();
    const delayMs = Math.min(longestDelayMs, Math.max(0, before - freeBytes) / bytesPerMs);
    // What waits for the longest time is not remembered for longer.
    const most = freeBytes + longestDelayMs * bytesPerMs;
    this.#holders.set(holder, { bytes: Math.min(most, before + Math.max(leastBytes, bodyBytes)), atMs });
    return delayMs;
  }
}
