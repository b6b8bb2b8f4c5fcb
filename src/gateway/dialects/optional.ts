import type { Json } from "../json.ts";

/** Without the members that nobody gave. */
export function optional(members: Json): Json {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value != null));
}
