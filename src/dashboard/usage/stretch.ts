import { dayMs, isoDateOf } from "../../platform/days.ts";
import { Problem } from "../../platform/errors.ts";

const usualDays = 30;
const mostDays = 400;

export interface Stretch {
  /** Days (UTC) as YYYY-MM-DD, both inclusive. */
  from: string;
  to: string;
}

export function readStretch(given: { from?: string | undefined; to?: string | undefined }, nowMs: number): Stretch {
  const to = given.to ?? isoDateOf(new Date(nowMs));
  const from = given.from ?? isoDateOf(new Date(Date.parse(to) - (usualDays - 1) * dayMs));
  if (from > to) throw new Problem("invalid_request", `"from" (${from}) is after "to" (${to}).`, { field: "from" });
  if (Date.parse(to) - Date.parse(from) >= mostDays * dayMs) {
    throw new Problem("invalid_request", `At most ${mostDays} days can be shown at once.`, { field: "from" });
  }
  return { from, to };
}

export type Step = "day" | "week" | "month";

/** The first day of every period that a stretch touches, as the database's date_trunc names them: weeks begin on Monday. */
export function listPeriods({ from, to }: Stretch, step: Step): string[] {
  const periods: string[] = [];
  for (let ms = Date.parse(from); ms <= Date.parse(to); ms += dayMs) {
    const first = firstDay(new Date(ms), step);
    if (periods.at(-1) !== first) periods.push(first);
  }
  return periods;
}

export function firstDay(day: Date, step: Step): string {
  if (step === "month") return `${isoDateOf(day).slice(0, 7)}-01`;
  if (step === "day") return isoDateOf(day);
  const sinceMonday = (day.getUTCDay() + 6) % 7;
  return isoDateOf(new Date(day.getTime() - sinceMonday * dayMs));
}
