import { bigint, boolean, date, integer, pgTable, text, timestamp } from "drizzle-orm/pg-core";
import type { ExtractionPlan, GatewayPlan } from "./plans.ts";
import type { Scope } from "./scopes.ts";

const moment = (name: string) => timestamp(name, { withTimezone: true, mode: "date" });

export const workspaces = pgTable("workspaces", {
  id: text("id").primaryKey(),
  name: text("name").notNull(),
  gatewayPlan: text("gateway_plan").$type<GatewayPlan>().notNull().default("FREE"),
  extractionPlan: text("extraction_plan").$type<ExtractionPlan>().notNull().default("Free"),
  extractionPerHour: integer("extraction_per_hour"),
  /** Below this balance, in pico-dollars, the dashboard warns. */
  lowBalance: bigint("low_balance", { mode: "bigint" }),
  createdAt: moment("created_at").notNull().defaultNow(),
});

export const apiKeys = pgTable("api_keys", {
  id: text("id").primaryKey(),
  workspaceId: text("workspace_id").notNull(),
  name: text("name").notNull(),
  hash: text("hash").notNull(),
  hint: text("hint").notNull(),
  scopes: text("scopes").array().$type<Scope[]>().notNull(),
  ratePerMinute: integer("rate_per_minute"),
  createdAt: moment("created_at").notNull().defaultNow(),
  expiresAt: moment("expires_at"),
  revokedAt: moment("revoked_at"),
  lastUsedAt: moment("last_used_at"),
  /** The user who made it; null for the command line. */
  createdBy: text("created_by"),
  /** What its requests may cost in a calendar month (UTC), in pico-dollars. */
  monthlyLimit: bigint("monthly_limit", { mode: "bigint" }),
  /** The same for a day. */
  dailyLimit: bigint("daily_limit", { mode: "bigint" }),
  tokensPerMinute: integer("tokens_per_minute"),
  /** Names of the gateway's models, in which * stands for anything. */
  models: text("models").array(),
  /** Whether an admin or the operator has set its limits: then the member whose key it is cannot lift them. */
  rulesByAdmin: boolean("rules_by_admin").notNull().default(false),
  /** The browser's session that a key of the playground belongs to. */
  sessionId: text("session_id"),
});

/** A view: the database has requests that are alike side by side, in `usage_groups`. */
export const usageRecords = pgTable("usage_records", {
  /** In UTC. Of a stretch of time, name its days as well: only by them is it found quickly. */
  day: date("day", { mode: "string" }).notNull(),
  at: moment("at").notNull(),
  workspaceId: text("workspace_id"),
  keyId: text("key_id"),
  service: text("service").notNull(),
  route: text("route").notNull(),
  status: integer("status").notNull(),
  durationMs: integer("duration_ms").notNull(),
  voice: text("voice"),
  language: text("language"),
  model: text("model"),
  inputTokens: integer("input_tokens"),
  outputTokens: integer("output_tokens"),
  cachedTokens: integer("cached_tokens"),
  audioMs: integer("audio_ms"),
});

/** How far the journal of a run has been brought in; rows of requests have no name of their own by which to tell. */
export const usageMarks = pgTable("usage_marks", {
  journal: text("journal").primaryKey(),
  position: bigint("position", { mode: "number" }).notNull(),
});
