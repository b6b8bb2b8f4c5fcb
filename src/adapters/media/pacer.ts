import { FRAME_MS } from "./playout.ts";

/** Frames that are sent at once after a stall; those before them are left out, because late sound is worse than none. */
const mostCaughtUp = 5;
/** Five seconds. */
const rememberedTicks = 250;

/** Calls `tick` every 20 ms by the clock and not by the timer: what was due while the process slept is made up for. */
export class Pacer {
  readonly #tick: (skipped: number) => void;
  #timer: NodeJS.Timeout | undefined;
  #dueMs = 0;
  readonly #late: number[] = [];

  constructor(tick: (skipped: number) => void) {
    this.#tick = tick;
  }

  /** How late frames left lately; one in twenty was later than this. */
  get lateMs(): number {
    const sorted = this.#late.toSorted((a, b) => a - b);
    return Math.round(sorted[Math.floor(sorted.length * 0.95)] ?? 0);
  }

  start(): void {
    if (this.#timer) return;
    this.#dueMs = performance.now() + FRAME_MS;
    this.#wait();
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#late.length = 0;
  }

  #wait(): void {
    this.#timer = setTimeout(() => this.#run(), Math.max(0, this.#dueMs - performance.now()));
  }

  #run(): void {
    const lateMs = performance.now() - this.#dueMs;
    this.#late.push(Math.max(0, lateMs));
    if (this.#late.length > rememberedTicks) this.#late.shift();
    const due = 1 + Math.floor(Math.max(0, lateMs) / FRAME_MS);
    const sent = Math.min(due, mostCaughtUp);
    for (let i = 0; i < sent; i++) this.#tick(i === 0 ? due - sent : 0);
    this.#dueMs += due * FRAME_MS;
    this.#wait();
  }
}
