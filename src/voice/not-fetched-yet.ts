import { Problem } from "../platform/errors.ts";

/** Where no model of a kind is here: in the first minutes of a first start, or because somebody wanted it so. */
export function notFetchedYet(kind: string): Problem {
  return new Problem(
    "engine_unavailable",
    `No ${kind} is on this machine yet. A first start fetches them by itself, and ./parlance doctor tells how far it is; at any other ` +
      "time fetch them with: ./parlance models pull",
  );
}
