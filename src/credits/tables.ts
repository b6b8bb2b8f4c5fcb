import { bigint, pgTable, text, timestamp } from "drizzle-orm/pg-core";

export const creditAccounts = pgTable("credit_accounts", {
  workspaceId: text("workspace_id").primaryKey(),
  balance: bigint("balance", { mode: "bigint" }).notNull(),
  lifetimeSpend: bigint("lifetime_spend", { mode: "bigint" }).notNull(),
});

export const creditLedger = pgTable("credit_ledger", {
  id: text("id").primaryKey(),
  workspaceId: text("workspace_id").notNull(),
  at: timestamp("at", { withTimezone: true, mode: "date" }).notNull().defaultNow(),
  kind: text("kind").$type<"grant" | "charge">().notNull(),
  amount: bigint("amount", { mode: "bigint" }).notNull(),
  note: text("note").notNull().default(""),
});
