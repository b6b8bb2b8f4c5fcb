import { z } from "zod";
import { day, dollars, givenDollars, id, moment, nextCursor, pageQuery, workspaceParams } from "./fields.ts";
import type { RouteContract } from "./route.ts";

const credits = z.object({
  balanceUsd: dollars,
  lifetimeSpendUsd: dollars,
  /** What earlier requests cost beyond the balance; nothing is served until it is paid. */
  debtUsd: dollars,
  spentThisMonthUsd: dollars,
  /** Below it pages warn; null never. */
  lowBalanceUsd: dollars.nullable(),
  isLow: z.boolean(),
});
export type Credits = z.infer<typeof credits>;

const ledgerEntry = z.object({
  id,
  at: moment,
  kind: z.enum(["grant", "charge"]),
  /** Negative for charges. */
  amountUsd: dollars,
  /** The reason. */
  note: z.string(),
});

const spendQuery = z.object({
  from: day.optional(),
  to: day.optional(),
  groupBy: z.enum(["day", "model", "provider"]).default("day"),
});
const sums = {
  requests: z.number(),
  inputTokens: z.number(),
  outputTokens: z.number(),
  /** What the upstream took, and what the workspace was charged. */
  costUsd: dollars,
  chargeUsd: dollars,
};
const spend = z.object({
  from: day,
  to: day,
  rows: z.array(z.object({ period: z.string(), model: z.string(), provider: z.string(), ...sums })),
  totals: z.object(sums),
});
export type Spend = z.infer<typeof spend>;

export const creditRoutes = {
  getCredits: {
    method: "GET",
    path: "/workspaces/:workspaceId/credits",
    access: "member",
    params: workspaceParams,
    reply: credits,
  },
  setLowBalance: {
    method: "PUT",
    path: "/workspaces/:workspaceId/credits/low-balance",
    access: "admin",
    params: workspaceParams,
    body: z.object({ lowBalanceUsd: givenDollars.nullable() }),
    reply: credits,
  },
  /** Newest first. */
  listCreditHistory: {
    method: "GET",
    path: "/workspaces/:workspaceId/credits/history",
    access: "member",
    params: workspaceParams,
    query: z.object(pageQuery),
    reply: z.object({ entries: z.array(ledgerEntry), nextCursor }),
  },
  getSpend: {
    method: "GET",
    path: "/workspaces/:workspaceId/credits/spend",
    access: "member",
    params: workspaceParams,
    query: spendQuery,
    reply: spend,
  },
  downloadSpend: {
    method: "GET",
    path: "/workspaces/:workspaceId/credits/spend.csv",
    access: "member",
    format: "csv",
    params: workspaceParams,
    query: spendQuery,
    reply: z.string(),
  },
} as const satisfies Record<string, RouteContract>;
