import { z } from "zod";
import { day, id, moment, nextCursor, pageQuery, workspaceParams } from "./fields.ts";
import type { RouteContract } from "./route.ts";

export const usageSplits = ["none", "key", "service", "route", "model", "voice", "language", "status"] as const;

/** Days are UTC and inclusive; at most 400 of them. Default: the last 30. */
const stretch = { from: day.optional(), to: day.optional() };
const filter = {
  keyId: id.optional(),
  service: z.enum(["voice", "gateway", "extraction"]).optional(),
  route: z.string().max(200).optional(),
  model: z.string().max(200).optional(),
};
const usageQuery = z.object({
  ...stretch,
  ...filter,
  step: z.enum(["day", "week", "month"]).default("day"),
  split: z.enum(usageSplits).default("none"),
});

const figures = {
  requests: z.number(),
  /** Replies with a status of 400 and more. */
  errors: z.number(),
  /** Milliseconds; null without requests. */
  p50Ms: z.number().nullable(),
  p95Ms: z.number().nullable(),
  p99Ms: z.number().nullable(),
  inputTokens: z.number(),
  outputTokens: z.number(),
  cachedTokens: z.number(),
  audioSeconds: z.number(),
};
export const usageFigures = z.object(figures);
export type UsageFigures = z.infer<typeof usageFigures>;

const usage = z.object({
  from: day,
  to: day,
  step: z.enum(["day", "week", "month"]),
  /** Every period of the stretch in order, also those without requests: the first day of each. */
  periods: z.array(day),
  /** One for each value of the split, busiest first and at most 20 (the rest is "other"); a single one, "all", without a split. */
  groups: z.array(
    z.object({
      value: z.string(),
      label: z.string(),
      totals: usageFigures,
      /** As long as `periods`. */
      points: z.array(usageFigures),
    }),
  ),
  totals: usageFigures,
});
export type Usage = z.infer<typeof usage>;

/** One request: never what was said or written in it. */
const requestRow = z.object({
  id: z.string(),
  at: moment,
  service: z.string(),
  route: z.string(),
  status: z.number(),
  durationMs: z.number(),
  keyId: z.string().nullable(),
  /** The key's name. */
  key: z.string(),
  model: z.string().nullable(),
  voice: z.string().nullable(),
  language: z.string().nullable(),
  inputTokens: z.number().nullable(),
  outputTokens: z.number().nullable(),
  audioSeconds: z.number().nullable(),
});
export type RequestRow = z.infer<typeof requestRow>;

export const usageRoutes = {
  getUsage: {
    method: "GET",
    path: "/workspaces/:workspaceId/usage",
    access: "member",
    params: workspaceParams,
    query: usageQuery,
    reply: usage,
  },
  downloadUsage: {
    method: "GET",
    path: "/workspaces/:workspaceId/usage.csv",
    access: "member",
    format: "csv",
    params: workspaceParams,
    query: usageQuery,
    reply: z.string(),
  },
  /** Newest first. */
  listRequests: {
    method: "GET",
    path: "/workspaces/:workspaceId/requests",
    access: "member",
    params: workspaceParams,
    query: z.object({ ...pageQuery, ...filter, status: z.enum(["ok", "error"]).optional() }),
    reply: z.object({ requests: z.array(requestRow), nextCursor }),
  },
  /** Server-sent events: each `data:` line is one request, as it ends. For EventSource. */
  tailRequests: {
    method: "GET",
    path: "/workspaces/:workspaceId/requests/live",
    access: "member",
    format: "events",
    params: workspaceParams,
    reply: requestRow,
  },
} as const satisfies Record<string, RouteContract>;
