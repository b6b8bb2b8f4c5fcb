import { sql } from "drizzle-orm";
import { bigint, pgTable, text, timestamp } from "drizzle-orm/pg-core";

export const creditAccounts = pgTable("credit_accounts", {
  workspaceId: text("workspace_id").primaryKey(),
  /** The sum of the ledger. */
  balance: bigint("balance", { mode: "bigint" }).notNull(),
  lifetimeSpend: bigint("lifetime_spend", { mode: "bigint" }).notNull(),
  /** The part of the balance that servers have taken to spend from memory. */
  leased: bigint("leased", { mode: "bigint" }).notNull().default(0n),
  /** What earlier requests cost beyond what could be taken. */
  debt: bigint("debt", { mode: "bigint" }).notNull().default(0n),
});

/** Taken while the row is locked. */
export const nextVersion = sql`nextval('credit_lease_versions')`;

export const creditLeases = pgTable("credit_leases", {
  /** One run of one server. */
  owner: text("owner").notNull(),
  workspaceId: text("workspace_id").notNull(),
  amount: bigint("amount", { mode: "bigint" }).notNull(),
  renewedAt: timestamp("renewed_at", { withTimezone: true, mode: "date" }).notNull().defaultNow(),
  version: bigint("version", { mode: "bigint" }).notNull().default(nextVersion),
});

/** Grants are positive, charges negative: one row for the charges of a workspace that were written together. Rows are only ever
 *  added. */
export const creditLedger = pgTable("credit_ledger", {
  id: text("id").primaryKey(),
  workspaceId: text("workspace_id").notNull(),
  at: timestamp("at", { withTimezone: true, mode: "date" }).notNull().defaultNow(),
  kind: text("kind").$type<"grant" | "charge">().notNull(),
  amount: bigint("amount", { mode: "bigint" }).notNull(),
  note: text("note").notNull().default(""),
});

/** How many of a run's charges are spent. */
export const creditMarks = pgTable("credit_marks", {
  journal: text("journal").primaryKey(),
  position: bigint("position", { mode: "number" }).notNull(),
});
