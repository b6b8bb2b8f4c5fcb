import { jsonb, pgTable, text, timestamp } from "drizzle-orm/pg-core";

export const auditLog = pgTable("audit_log", {
  id: text("id").primaryKey(),
  at: timestamp("at", { withTimezone: true, mode: "date" }).notNull().defaultNow(),
  workspaceId: text("workspace_id"),
  workspace: text("workspace"),
  actorId: text("actor_id"),
  actor: text("actor").notNull(),
  actorEmail: text("actor_email"),
  action: text("action").notNull(),
  target: text("target"),
  details: jsonb("details").$type<Record<string, unknown>>().notNull().default({}),
  address: text("address"),
});
