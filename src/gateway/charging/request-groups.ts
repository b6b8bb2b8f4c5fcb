import type { Charge } from "../../credits/lease-store.ts";
import type { Pico } from "../../credits/money.ts";
import { dayMs } from "../../platform/days.ts";
import type { CostSource } from "./cost.ts";

/** What many served requests have in common. There is no field that could hold what was said or written. */
export interface RequestKind {
  readonly keyId: string;
  readonly endpoint: string;
  readonly model: string;
  readonly provider: string;
  readonly upstream: string;
  /** What the caller groups its costs by. */
  readonly tag: string;
  readonly costSource: CostSource;
}

/** What one of them adds, in this order. */
export type RequestFigures = readonly [inputTokens: number, outputTokens: number, cost: Pico];

/** Requests of one workspace and day (UTC) that are alike and written together. */
export interface RequestGroup {
  readonly workspaceId: string;
  readonly dayNumber: number;
  readonly kind: RequestKind;
  readonly charges: Charge[];
}

/** Requests that are alike share one object that says so: no names are put together for each. */
export function groupRequests(charges: readonly Charge[]): RequestGroup[] {
  const groups: RequestGroup[] = [];
  const latest = new Map<object, RequestGroup>();
  for (const charge of charges) {
    const { workspaceId } = charge;
    const kind = charge.about as RequestKind;
    const dayNumber = Math.floor(charge.at / dayMs);
    let group = latest.get(kind);
    if (group?.dayNumber !== dayNumber || group.workspaceId !== workspaceId) {
      group = { workspaceId, dayNumber, kind, charges: [] };
      latest.set(kind, group);
      groups.push(group);
    }
    group.charges.push(charge);
  }
  // The log looks only at the first and the last of a group.
  for (const { charges: alike } of groups) alike.sort((one, other) => one.at - other.at);
  return groups;
}
