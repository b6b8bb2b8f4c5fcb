import type { Clock } from "../platform/clock.ts";
import { isoDateOf } from "../platform/days.ts";
import { Problem } from "../platform/errors.ts";
import type { Queries } from "../ports/database.ts";
import { monthOf, readKeyCharges } from "./key-days.ts";
import { formatDollars, type Pico } from "./money.ts";
import { retryAfterSeconds } from "./refuse.ts";

/** What other servers have charged to a key is noticed after so long. */
const freshMs = 5000;
const mostKeys = 10_000;

export interface KeyBudget {
  /** At most `wanted`: what may be set aside for a request of the key. */
  readonly wanted: Pico;
  /** Ends what was taken, with what the request was charged. To be called once. */
  end(charged: Pico): void;
}

export interface KeyBudgets {
  /** Takes part of a key's day or month, or throws `insufficient_credits`. At once when the key was looked at a moment ago. */
  take(key: { id: string; limit: Pico }, wanted: Pico, least: Pico): KeyBudget | Promise<KeyBudget>;
}

/** A stretch of the calendar (UTC) over which a key's requests are added up, named by its first day. */
export interface Period {
  readonly word: "day" | "month";
  nameOf(nowMs: number): string;
  /** The first day of the next one. */
  after(name: string): string;
}

export const monthly: Period = { word: "month", nameOf: monthOf, after: (name) => nextFrom(name, "Month") };
export const daily: Period = {
  word: "day",
  nameOf: (nowMs) => isoDateOf(new Date(nowMs)),
  after: (name) => nextFrom(name, "Date"),
};

function nextFrom(name: string, part: "Date" | "Month"): string {
  const next = new Date(`${name}T00:00:00Z`);
  next[`setUTC${part}`](next[`getUTC${part}`]() + 1);
  return isoDateOf(next);
}

interface Spending {
  readonly name: string;
  /** What the database knew when it was read, and when that was. */
  spent: Pico;
  readAtMs: number;
  /** Charged here since the reading began, and set aside for requests that are still running. */
  since: Pico;
  held: Pico;
  reading: Promise<void> | undefined;
}

/** Keeps keys with a limit for a period below it. What runs here is counted exactly; what other servers charge is known within seconds.
 *  Keys without a limit never come here. */
export function createKeyBudgets(
  period: Period,
  parts: { queries: Queries; clock: Clock; flush(): Promise<void> },
): KeyBudgets {
  const { queries, clock } = parts;
  const known = new Map<string, Spending>();

  function spendingOf(id: string): Spending {
    const name = period.nameOf(clock.now());
    let spending = known.get(id);
    if (spending?.name !== name) {
      if (known.size >= mostKeys) known.clear();
      spending = { name, spent: 0n, readAtMs: Number.NEGATIVE_INFINITY, since: 0n, held: 0n, reading: undefined };
      known.set(id, spending);
    }
    return spending;
  }

  function read(id: string, spending: Spending): Promise<void> {
    spending.reading ??= readNow(id, spending).finally(() => {
      spending.reading = undefined;
    });
    return spending.reading;
  }

  /** What was charged until now is in the database after the flush. What is charged while it runs may be counted twice until the
   *  next reading, never too little. */
  async function readNow(id: string, spending: Spending): Promise<void> {
    const now = clock.now();
    const counted = spending.since;
    await parts.flush();
    spending.spent = (await readKeyCharges(queries, [id], spending.name)).get(id) ?? 0n;
    spending.since -= counted;
    spending.readAtMs = now;
  }

  function left(limit: Pico, { spent, since, held }: Spending): Pico {
    return limit - spent - since - held;
  }

  function open(spending: Spending, limit: Pico, wanted: Pico): KeyBudget {
    const room = left(limit, spending);
    const amount = wanted < room ? wanted : room;
    spending.held += amount;
    let isOver = false;
    return {
      wanted: amount,
      end(charged) {
        if (isOver) return;
        isOver = true;
        spending.held -= amount;
        spending.since += charged;
      },
    };
  }

  async function takeSlowly(key: { id: string; limit: Pico }, wanted: Pico, least: Pico): Promise<KeyBudget> {
    const spending = spendingOf(key.id);
    await read(key.id, spending);
    if (left(key.limit, spending) < least || left(key.limit, spending) <= 0n)
      throw overLimit(period, key.limit, spending, least);
    return open(spending, key.limit, wanted);
  }

  return {
    take(key, wanted, least) {
      const spending = spendingOf(key.id);
      const ageMs = clock.now() - spending.readAtMs;
      const isFresh = ageMs >= 0 && ageMs < freshMs;
      const room = left(key.limit, spending);
      if (isFresh && room >= least && room > 0n) return open(spending, key.limit, wanted);
      return takeSlowly(key, wanted, least);
    },
  };
}

function overLimit(period: Period, limit: Pico, { name, spent, since, held }: Spending, least: Pico): Problem {
  // Waiting helps when running requests hold what is missing.
  const isPassing = held > 0n && limit - spent - since >= (least > 0n ? least : 1n);
  const reason =
    held > 0n
      ? "is used up, or reserved by requests that are still running"
      : "is used up, or too small for this request";
  return new Problem(
    "insufficient_credits",
    `This key's limit of $${formatDollars(limit)} a ${period.word} ${reason}. It starts over on ${period.after(name)} (UTC).`,
    isPassing ? { retryAfterSeconds } : {},
  );
}
