import type { Clock } from "../platform/clock.ts";
import { Problem } from "../platform/errors.ts";
import type { Queries } from "../ports/database.ts";
import { monthOf, readKeyCharges } from "./key-days.ts";
import { formatDollars, type Pico } from "./money.ts";

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
  /** Takes part of a key's month, or throws `insufficient_credits`. At once when the key was looked at a moment ago. */
  take(key: { id: string; limit: Pico }, wanted: Pico, least: Pico): KeyBudget | Promise<KeyBudget>;
}

interface Month {
  readonly name: string;
  /** What the database knew when it was read, and when that was. */
  spent: Pico;
  readAtMs: number;
  /** Charged here since the reading began, and set aside for requests that are still running. */
  since: Pico;
  held: Pico;
  reading: Promise<void> | undefined;
}

/** Keeps keys with a monthly limit below it. What runs here is counted exactly; what other servers charge is known within seconds.
 *  Keys without a limit never come here. */
export function createKeyBudgets(parts: { queries: Queries; clock: Clock; flush(): Promise<void> }): KeyBudgets {
  const { queries, clock } = parts;
  const months = new Map<string, Month>();

  function monthFor(id: string): Month {
    const name = monthOf(clock.now());
    let month = months.get(id);
    if (month?.name !== name) {
      if (months.size >= mostKeys) months.clear();
      month = { name, spent: 0n, readAtMs: Number.NEGATIVE_INFINITY, since: 0n, held: 0n, reading: undefined };
      months.set(id, month);
    }
    return month;
  }

  function read(id: string, month: Month): Promise<void> {
    month.reading ??= readNow(id, month).finally(() => {
      month.reading = undefined;
    });
    return month.reading;
  }

  /** What was charged until now is in the database after the flush. What is charged while it runs may be counted twice until the
   *  next reading, never too little. */
  async function readNow(id: string, month: Month): Promise<void> {
    const now = clock.now();
    const counted = month.since;
    await parts.flush();
    month.spent = (await readKeyCharges(queries, [id], month.name)).get(id) ?? 0n;
    month.since -= counted;
    month.readAtMs = now;
  }

  function left(limit: Pico, { spent, since, held }: Month): Pico {
    return limit - spent - since - held;
  }

  function open(month: Month, limit: Pico, wanted: Pico): KeyBudget {
    const room = left(limit, month);
    const amount = wanted < room ? wanted : room;
    month.held += amount;
    let isOver = false;
    return {
      wanted: amount,
      end(charged) {
        if (isOver) return;
        isOver = true;
        month.held -= amount;
        month.since += charged;
      },
    };
  }

  async function takeSlowly(key: { id: string; limit: Pico }, wanted: Pico, least: Pico): Promise<KeyBudget> {
    const month = monthFor(key.id);
    await read(key.id, month);
    if (left(key.limit, month) < least || left(key.limit, month) <= 0n) throw overLimit(key.limit, month);
    return open(month, key.limit, wanted);
  }

  return {
    take(key, wanted, least) {
      const month = monthFor(key.id);
      const ageMs = clock.now() - month.readAtMs;
      const isFresh = ageMs >= 0 && ageMs < freshMs;
      const room = left(key.limit, month);
      if (isFresh && room >= least && room > 0n) return open(month, key.limit, wanted);
      return takeSlowly(key, wanted, least);
    },
  };
}

function overLimit(limit: Pico, { name, held }: Month): Problem {
  const next = new Date(`${name}T00:00:00Z`);
  next.setUTCMonth(next.getUTCMonth() + 1);
  const reason =
    held > 0n
      ? "is used up, or reserved by requests that are still running"
      : "is used up, or too small for this request";
  return new Problem(
    "insufficient_credits",
    `This key's limit of $${formatDollars(limit)} a month ${reason}. It starts over on ${next.toISOString().slice(0, 10)} (UTC).`,
  );
}
