import { jsonb, pgTable, text, timestamp } from "drizzle-orm/pg-core";

const moment = (name: string) => timestamp(name, { withTimezone: true, mode: "date" });

export const realtimeTokens = pgTable("realtime_tokens", {
  hash: text("hash").primaryKey(),
  sessionId: text("session_id").notNull(),
  kind: text("kind").notNull(),
  workspaceId: text("workspace_id").notNull(),
  keyId: text("key_id").notNull(),
  settings: jsonb("settings").$type<Record<string, unknown>>().notNull(),
  expiresAt: moment("expires_at").notNull(),
  usedAt: moment("used_at"),
});
