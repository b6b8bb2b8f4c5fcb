import type { Usage, UsageFigures } from "../contract/usage.ts";
import { firstDay, listPeriods, type Step, type Stretch } from "./stretch.ts";
import { Tally } from "./tally.ts";
import type { DayTally } from "./tally-days.ts";

export type Split = "none" | "key" | "service" | "route" | "model" | "voice" | "language" | "status";

export interface UsageFilter {
  keyId?: string | undefined;
  service?: string | undefined;
  route?: string | undefined;
  model?: string | undefined;
}

/** Groups beyond the busiest are one. */
const mostGroups = 20;
const otherGroups = "other";

/** Days as the chart shows them: by period and group, with everything that the filter lets through. */
export function measureUsage(
  days: readonly DayTally[],
  { stretch, step, split, filter }: { stretch: Stretch; step: Step; split: Split; filter: UsageFilter },
): Pick<Usage, "periods" | "groups" | "totals"> {
  const chosen = days.filter((one) => matches(one, filter));
  const busiest = findBusiest(chosen, split);
  const periods = listPeriods(stretch, step);
  const totals = new Tally();
  const groups = new Map<string, { totals: Tally; points: Map<string, Tally> }>();
  for (const one of chosen) {
    const value = groupOf(one, split);
    const name = busiest.has(value) ? value : otherGroups;
    const group = groups.get(name) ?? { totals: new Tally(), points: new Map<string, Tally>() };
    groups.set(name, group);
    const period = firstDay(new Date(one.day), step);
    const point = group.points.get(period) ?? new Tally();
    group.points.set(period, point);
    for (const tally of [totals, group.totals, point]) tally.addTally(one.tally);
  }
  const nothing = new Tally().figures();
  return {
    periods,
    totals: totals.figures(),
    groups: [...groups]
      .sort(([a, one], [b, other]) => Number(!busiest.has(a)) - Number(!busiest.has(b)) || compare(one, other))
      .map(([value, group]) => ({
        value,
        label: value || "none",
        totals: group.totals.figures(),
        points: periods.map((period): UsageFigures => group.points.get(period)?.figures() ?? nothing),
      })),
  };
}

function compare(one: { totals: Tally }, other: { totals: Tally }): number {
  return other.totals.requests - one.totals.requests;
}

function matches(one: DayTally, { keyId, service, route, model }: UsageFilter): boolean {
  return (
    (!keyId || one.keyId === keyId) &&
    (!service || one.service === service) &&
    (!route || one.route === route) &&
    (!model || one.model === model)
  );
}

function groupOf(one: DayTally, split: Split): string {
  if (split === "none") return "all";
  if (split === "key") return one.keyId;
  return split === "status" ? String(one.status) : one[split];
}

function findBusiest(days: readonly DayTally[], split: Split): Set<string> {
  const counts = new Map<string, number>();
  for (const one of days) {
    const value = groupOf(one, split);
    counts.set(value, (counts.get(value) ?? 0) + one.tally.requests);
  }
  const ordered = [...counts].sort(([, a], [, b]) => b - a).map(([value]) => value);
  return new Set(ordered.length > mostGroups ? ordered.slice(0, mostGroups - 1) : ordered);
}
