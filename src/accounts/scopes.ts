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

/** What a key of a workspace may be given by its people; `all` on the command line means these. */
export const allScopes = [...voiceScopes, ...gatewayScopes, ...extractionScopes] as const;
/** `admin` governs the whole installation, so only whoever runs it can give it. */
export const grantableScopes = [...allScopes, "admin"] as const;
export type Scope = (typeof grantableScopes)[number];

export function parseScopes(names: readonly string[]): Scope[] {
  const unknown = names.filter((name) => !(grantableScopes as readonly string[]).includes(name));
  if (unknown.length > 0) {
    throw new Problem("invalid_request", `There is no scope "${unknown[0]}". Scopes: ${list(grantableScopes)}.`);
  }
  if (names.length === 0) {
    throw new Problem("invalid_request", `A key needs at least one scope. Scopes: ${list(grantableScopes)}.`);
  }
  return [...new Set(names)] as Scope[];
}
