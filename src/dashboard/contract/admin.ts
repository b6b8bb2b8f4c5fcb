import { z } from "zod";
import { extractionPlans, gatewayPlans } from "../../accounts/plans.ts";
import { dollars, givenDollars, id, label, moment, nextCursor, pageQuery, role, workspaceParams } from "./fields.ts";
import type { RouteContract } from "./route.ts";
import { auditEntry, resetLink } from "./workspaces.ts";

const workspaceRow = z.object({
  id,
  name: z.string(),
  createdAt: moment,
  gatewayPlan: z.enum(gatewayPlans),
  extractionPlan: z.enum(extractionPlans),
  extractionPerHour: z.number().nullable(),
  members: z.number(),
  activeKeys: z.number(),
  balanceUsd: dollars,
  lifetimeSpendUsd: dollars,
  requestsLast30Days: z.number(),
});
export type WorkspaceRow = z.infer<typeof workspaceRow>;

const userRow = z.object({
  id,
  name: z.string(),
  email: z.string(),
  createdAt: moment,
  lastSeenAt: moment.nullable(),
  hasSecondFactor: z.boolean(),
  isInstallationOwner: z.boolean(),
  workspaces: z.array(z.object({ id, name: z.string(), role })),
});
export type UserRow = z.infer<typeof userRow>;

const engine = z.object({
  name: z.string(),
  capability: z.string(),
  model: z.string(),
  state: z.enum(["idle", "loading", "ready", "missing", "failed"]),
  reason: z.string().nullable(),
  progress: z.number().nullable(),
  queued: z.number(),
  active: z.number(),
  restarts: z.number(),
  memoryBytes: z.number(),
});
export type EngineRow = z.infer<typeof engine>;

const modelFiles = z.object({
  id: z.string(),
  capability: z.string(),
  licence: z.string(),
  source: z.string(),
  bytes: z.number(),
  isHere: z.boolean(),
  /** What is missing and which command helps. */
  missing: z.string().nullable(),
  /** 0 to 1 while it is being fetched. */
  progress: z.number().nullable(),
});
export type ModelFiles = z.infer<typeof modelFiles>;

const settingRow = z.object({
  group: z.string(),
  name: z.string(),
  help: z.string(),
  /** Null for secrets: then only `source` tells whether one is set. */
  value: z.string().nullable(),
  isSecret: z.boolean(),
  source: z.enum(["environment", "default"]),
});
export type SettingRow = z.infer<typeof settingRow>;

export const adminRoutes = {
  listAllWorkspaces: {
    method: "GET",
    path: "/admin/workspaces",
    access: "installation",
    reply: z.object({ workspaces: z.array(workspaceRow) }),
  },
  setPlans: {
    method: "PATCH",
    path: "/admin/workspaces/:workspaceId/plans",
    access: "installation",
    params: workspaceParams,
    body: z.object({
      gatewayPlan: z.enum(gatewayPlans).optional(),
      extractionPlan: z.enum(extractionPlans).optional(),
      extractionPerHour: z.int().min(1).max(10_000_000).optional(),
    }),
    reply: workspaceRow,
  },
  grantCredits: {
    method: "POST",
    path: "/admin/workspaces/:workspaceId/grants",
    access: "installation",
    params: workspaceParams,
    body: z.object({ amountUsd: givenDollars, note: label(200) }),
    reply: z.object({ balanceUsd: dollars }),
  },
  listUsers: {
    method: "GET",
    path: "/admin/users",
    access: "installation",
    reply: z.object({ users: z.array(userRow) }),
  },
  createUserResetLink: {
    method: "POST",
    path: "/admin/users/:userId/reset-link",
    access: "installation",
    params: z.object({ userId: id }),
    body: z.object({ removesSecondFactor: z.boolean().default(false) }),
    reply: resetLink,
  },
  listEngines: {
    method: "GET",
    path: "/admin/engines",
    access: "installation",
    reply: z.object({ engines: z.array(engine) }),
  },
  listModelFiles: {
    method: "GET",
    path: "/admin/models",
    access: "installation",
    reply: z.object({
      models: z.array(modelFiles),
      pull: z.object({
        isRunning: z.boolean(),
        model: z.string().nullable(),
        stage: z.string().nullable(),
        progress: z.number().nullable(),
        failure: z.string().nullable(),
      }),
    }),
  },
  listSettings: {
    method: "GET",
    path: "/admin/settings",
    access: "installation",
    reply: z.object({ settings: z.array(settingRow) }),
  },
  getHealth: {
    method: "GET",
    path: "/admin/health",
    access: "installation",
    reply: z.object({
      status: z.enum(["ready", "partial", "unavailable"]),
      version: z.string(),
      node: z.string(),
      startedAt: moment,
      database: z.object({ kind: z.string(), isUp: z.boolean() }),
      /** What keeps the server from writing, by part. */
      troubles: z.record(z.string(), z.string()),
      memoryBytes: z.number(),
      processors: z.number(),
    }),
  },
  listAllAudit: {
    method: "GET",
    path: "/admin/audit",
    access: "installation",
    query: z.object(pageQuery),
    reply: z.object({ entries: z.array(auditEntry), nextCursor }),
  },
} as const satisfies Record<string, RouteContract>;
