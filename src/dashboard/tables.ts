import { bigint, boolean, pgTable, text, timestamp } from "drizzle-orm/pg-core";
import type { Role } from "./contract/fields.ts";

const moment = (name: string) => timestamp(name, { withTimezone: true, mode: "date" });

export const users = pgTable("users", {
  id: text("id").primaryKey(),
  name: text("name").notNull(),
  email: text("email").notNull(),
  passwordHash: text("password_hash").notNull(),
  isInstallationOwner: boolean("is_installation_owner").notNull().default(false),
  totpSecret: text("totp_secret"),
  totpConfirmedAt: moment("totp_confirmed_at"),
  totpStep: bigint("totp_step", { mode: "number" }).notNull().default(0),
  recoveryHashes: text("recovery_hashes").array().notNull().default([]),
  createdAt: moment("created_at").notNull().defaultNow(),
});
export type UserRecord = typeof users.$inferSelect;

export const memberships = pgTable("memberships", {
  workspaceId: text("workspace_id").notNull(),
  userId: text("user_id").notNull(),
  role: text("role").$type<Role>().notNull(),
  joinedAt: moment("joined_at").notNull().defaultNow(),
});

export const userSessions = pgTable("user_sessions", {
  id: text("id").primaryKey(),
  hash: text("hash").notNull(),
  userId: text("user_id").notNull(),
  createdAt: moment("created_at").notNull().defaultNow(),
  lastSeenAt: moment("last_seen_at").notNull().defaultNow(),
  expiresAt: moment("expires_at").notNull(),
  endedAt: moment("ended_at"),
  address: text("address").notNull(),
  userAgent: text("user_agent").notNull(),
});
export type SessionRecord = typeof userSessions.$inferSelect;

export const accessLinks = pgTable("access_links", {
  id: text("id").primaryKey(),
  kind: text("kind").$type<"setup" | "invitation" | "reset">().notNull(),
  hash: text("hash").notNull(),
  workspaceId: text("workspace_id"),
  userId: text("user_id"),
  email: text("email"),
  role: text("role").$type<Role>(),
  removesSecondFactor: boolean("removes_second_factor").notNull().default(false),
  createdBy: text("created_by"),
  createdAt: moment("created_at").notNull().defaultNow(),
  expiresAt: moment("expires_at").notNull(),
});
export type AccessLink = typeof accessLinks.$inferSelect;
