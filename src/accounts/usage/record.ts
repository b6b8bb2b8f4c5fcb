/** One request as the books see it. There is no field that could hold what was said or written. */
export interface UsageRecord extends UsageDetails {
  workspaceId: string;
  keyId: string;
  service: string;
  route: string;
  status: number;
  /** When its reply had left, in milliseconds since 1970. */
  at: number;
  durationMs: number;
}

/** What a route may add about its request beyond what the server knows by itself. */
export interface UsageDetails {
  voice?: string;
  language?: string;
  model?: string;
  inputTokens?: number;
  outputTokens?: number;
  cachedTokens?: number;
  audioMs?: number;
}
