import type { UsageFigures } from "../contract/usage.ts";

/** Durations are counted in buckets of 2 % width: exact up to 50 ms, and a busy month is a few hundred numbers. */
const bucketGrowth = 1.02;
const exactUpTo = 50;
const growth = Math.log(bucketGrowth);

/** What requests come to: can be added up, which percentiles by themselves cannot. */
export class Tally {
  #requests = 0;
  #errors = 0;
  #inputTokens = 0;
  #outputTokens = 0;
  #cachedTokens = 0;
  #audioMs = 0;
  readonly #buckets = new Map<number, number>();

  get requests(): number {
    return this.#requests;
  }

  /** Requests that had the same status, as the database has them: arrays as text. */
  addGroup(group: {
    status: number;
    durations: string;
    input: string | null;
    output: string | null;
    cached: string | null;
    audio: string | null;
  }): void {
    let count = 0;
    eachNumber(group.durations, (durationMs) => {
      count += 1;
      const bucket = bucketOf(durationMs);
      this.#buckets.set(bucket, (this.#buckets.get(bucket) ?? 0) + 1);
    });
    this.#requests += count;
    if (group.status >= 400) this.#errors += count;
    this.#inputTokens += sum(group.input);
    this.#outputTokens += sum(group.output);
    this.#cachedTokens += sum(group.cached);
    this.#audioMs += sum(group.audio);
  }

  addTally(other: Tally): void {
    this.#requests += other.#requests;
    this.#errors += other.#errors;
    this.#inputTokens += other.#inputTokens;
    this.#outputTokens += other.#outputTokens;
    this.#cachedTokens += other.#cachedTokens;
    this.#audioMs += other.#audioMs;
    for (const [bucket, count] of other.#buckets) {
      this.#buckets.set(bucket, (this.#buckets.get(bucket) ?? 0) + count);
    }
  }

  figures(): UsageFigures {
    const [p50Ms, p95Ms, p99Ms] = this.#percentiles([0.5, 0.95, 0.99]);
    return {
      requests: this.#requests,
      errors: this.#errors,
      p50Ms: p50Ms ?? null,
      p95Ms: p95Ms ?? null,
      p99Ms: p99Ms ?? null,
      inputTokens: this.#inputTokens,
      outputTokens: this.#outputTokens,
      cachedTokens: this.#cachedTokens,
      audioSeconds: Math.round(this.#audioMs / 100) / 10,
    };
  }

  #percentiles(wanted: readonly number[]): number[] {
    const ordered = [...this.#buckets].sort(([a], [b]) => a - b);
    return wanted.flatMap((fraction) => {
      let left = Math.ceil(fraction * this.#requests);
      const found = ordered.find(([, count]) => {
        left -= count;
        return left <= 0;
      });
      return found ? [middleOf(found[0])] : [];
    });
  }
}

function bucketOf(durationMs: number): number {
  if (durationMs <= exactUpTo) return durationMs;
  return exactUpTo + 1 + Math.floor(Math.log(durationMs / exactUpTo) / growth);
}

function middleOf(bucket: number): number {
  if (bucket <= exactUpTo) return bucket;
  return Math.round(exactUpTo * bucketGrowth ** (bucket - exactUpTo - 0.5));
}

function sum(array: string | null): number {
  let total = 0;
  eachNumber(array ?? "", (value) => {
    total += value;
  });
  return total;
}

/** The numbers of "{1,2,NULL}", without making a text of each. */
function eachNumber(array: string, tell: (value: number) => void): void {
  let value = -1;
  for (let index = 0; index < array.length; index++) {
    const digit = array.charCodeAt(index) - 48;
    if (digit >= 0 && digit <= 9) {
      value = (value < 0 ? 0 : value) * 10 + digit;
    } else if (value >= 0) {
      tell(value);
      value = -1;
    }
  }
}
