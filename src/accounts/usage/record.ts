import type { usageRecords } from "../tables.ts";

/** One request as the books see it. There is no field that could hold what was said or written. */
export type UsageRecord = Omit<typeof usageRecords.$inferInsert, "at"> & { at: string };

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
