import type { Clock } from "../platform/clock.ts";
import { makeRoom } from "../platform/make-room.ts";
import type { WindowStore, WindowTake, WindowUse } from "./sliding-window.ts";

const maxKeys = 50_000;

/** Counts on this server alone. Uses within one step share a place and leave together, never early. */
export class MemoryStore implements WindowStore {
  readonly windowMs: number;
  readonly #clock: Clock;
  readonly #stepMs: number;
  readonly #keys = new Map<string, UseLog>();

  constructor(windowMs: number, clock: Clock, stepMs = 1) {
    this.windowMs = windowMs;
    this.#clock = clock;
    this.#stepMs = stepMs;
  }

  async take(key: string, cost: number, limit: number): Promise<WindowTake> {
    const nowMs = this.#clock.now();
    const log = this.#recent(key, nowMs);
    const isTaken = log.used + cost <= limit;
    if (isTaken) this.#count(key, log, cost, nowMs);
    return { ...useOf(log, cost, limit, nowMs), isTaken };
  }

  async add(key: string, cost: number): Promise<void> {
    const nowMs = this.#clock.now();
    this.#count(key, this.#recent(key, nowMs), cost, nowMs);
  }

  async look(key: string, cost: number, limit: number): Promise<WindowUse> {
    return this.lastSeen(key, cost, limit);
  }

  lastSeen(key: string, cost: number, limit: number): WindowUse {
    const nowMs = this.#clock.now();
    return useOf(this.#recent(key, nowMs), cost, limit, nowMs);
  }

  #recent(key: string, nowMs: number): UseLog {
    const log = this.#keys.get(key);
    if (!log) return new UseLog();
    // The clock was set back: by it, what was counted lies in the future, and would count for that much longer.
    if ((log.newestMs ?? 0) >= nowMs + this.#stepMs) log.clear();
    log.dropUntil(nowMs - this.windowMs);
    return log;
  }

  #count(key: string, log: UseLog, cost: number, nowMs: number): void {
    log.add(Math.ceil(nowMs / this.#stepMs) * this.#stepMs, cost);
    // Put last, so that the first are those that were used longest ago.
    this.#keys.delete(key);
    makeRoom(this.#keys, maxKeys);
    this.#keys.set(key, log);
  }
}

function useOf(log: UseLog, cost: number, limit: number, nowMs: number): WindowUse {
  const { used, oldestMs, newestMs } = log;
  return { used, oldestMs, newestMs, inTheWayMs: log.inTheWayOf(cost, limit), nowMs };
}

/** What still counts of one key, oldest first. */
class UseLog {
  used = 0;
  readonly #times: number[] = [];
  readonly #costs: number[] = [];
  #start = 0;

  get oldestMs(): number | undefined {
    return this.#times[this.#start];
  }

  get newestMs(): number | undefined {
    return this.#start < this.#times.length ? this.#times[this.#times.length - 1] : undefined;
  }

  add(timeMs: number, cost: number): void {
    this.used += cost;
    if (this.newestMs === timeMs) {
      this.#costs[this.#costs.length - 1]! += cost;
      return;
    }
    this.#times.push(timeMs);
    this.#costs.push(cost);
  }

  clear(): void {
    this.dropUntil(Number.POSITIVE_INFINITY);
  }

  dropUntil(timeMs: number): void {
    const times = this.#times;
    while (this.#start < times.length && times[this.#start]! <= timeMs) {
      this.used -= this.#costs[this.#start]!;
      this.#start += 1;
    }
    // Not at every drop: that would move all the others each time.
    if (this.#start < 32 || this.#start * 2 < times.length) return;
    times.splice(0, this.#start);
    this.#costs.splice(0, this.#start);
    this.#start = 0;
  }

  /** The time of the last use that must leave before the cost fits; undefined where it fits or never will. */
  inTheWayOf(cost: number, limit: number): number | undefined {
    let left = this.used;
    for (let at = this.#start; at < this.#times.length && left + cost > limit; at++) {
      left -= this.#costs[at]!;
      if (left + cost <= limit) return this.#times[at];
    }
    return undefined;
  }
}
