import { bigint, boolean, integer, jsonb, pgTable, text, timestamp } from "drizzle-orm/pg-core";
import type { Strategy } from "../catalog/order-routes.ts";
import type { KindName } from "../upstreams/kinds/kind.ts";
import type { ProviderName } from "../upstreams/providers.ts";

const createdAt = timestamp("created_at", { withTimezone: true, mode: "date" }).notNull().defaultNow();

export const gatewayRouting = pgTable("gateway_routing", {
  id: integer("id").primaryKey(),
  strategy: text("strategy").$type<Strategy>().notNull(),
  version: bigint("version", { mode: "number" }).notNull(),
});

export const gatewayUpstreams = pgTable("gateway_upstreams", {
  name: text("name").primaryKey(),
  kind: text("kind").$type<KindName>().notNull(),
  provider: text("provider").$type<ProviderName>(),
  url: text("url").notNull(),
  prefix: text("prefix"),
  models: jsonb("models").$type<string[]>().notNull(),
  allowed: jsonb("allowed").$type<string[]>(),
  prices: jsonb("prices").$type<Record<string, Record<string, string>>>().notNull(),
  weight: integer("weight").notNull(),
  position: integer("position").notNull(),
  firstByteMs: integer("first_byte_ms"),
  firstTokenMs: integer("first_token_ms"),
  silenceMs: integer("silence_ms"),
  isEnabled: boolean("is_enabled").notNull(),
  createdAt,
});

export const gatewayUpstreamKeys = pgTable("gateway_upstream_keys", {
  id: text("id").primaryKey(),
  upstream: text("upstream").notNull(),
  name: text("name").notNull(),
  sealed: text("sealed").notNull(),
  hint: text("hint").notNull(),
  requestsPerMinute: integer("requests_per_minute"),
  createdAt,
});

export const gatewayAliases = pgTable("gateway_aliases", {
  name: text("name").primaryKey(),
  strategy: text("strategy").$type<Strategy>().notNull(),
  models: jsonb("models").$type<{ model: string; weight: number }[]>().notNull(),
  createdAt,
});
