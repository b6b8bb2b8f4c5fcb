import { list, Problem } from "../platform/errors.ts";

export const voiceScopes = ["speech", "voices", "chat", "dub", "transcribe", "translate", "realtime"] as const;
/** The last six can be granted and govern nothing yet. */
export const gatewayScopes = [
  "gateway:read",
  "chat:read",
  "chat:write",
  "files:read",
  "files:write",
  "kb:read",
  "kb:write",
] as const;
export const extractionScopes = ["extract"] as const;

export const allScopes = [...voiceScopes, ...gatewayScopes, ...extractionScopes] as const;
export type Scope = (typeof allScopes)[number];

export function parseScopes(names: readonly string[]): Scope[] {
  const unknown = names.filter((name) => !(allScopes as readonly string[]).includes(name));
  if (unknown.length > 0) {
    throw new Problem("invalid_request", `There is no scope "${unknown[0]}". Scopes: ${list(allScopes)}.`);
  }
  if (names.length === 0) {
    throw new Problem("invalid_request", `A key needs at least one scope. Scopes: ${list(allScopes)}.`);
  }
  return [...new Set(names)] as Scope[];
}
