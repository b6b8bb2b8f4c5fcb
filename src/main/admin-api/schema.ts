import { z } from "zod";
import { keyRules } from "../../accounts/keys/key-rules.ts";
import { extractionPlans, gatewayPlans } from "../../accounts/plans.ts";
import { allScopes, grantableScopes } from "../../accounts/scopes.ts";

const moment = z.iso.datetime();
/** Checked by the command, which also says what would be right. */
const name = z.string().max(200);
const dollars = z.string().meta({ description: "US dollars as a decimal." });

export const problem = z.object({ error: z.object({ type: z.string(), message: z.string() }) });

export const config = { scope: "admin" };
export const problems = { 400: problem, 401: problem, 403: problem, 404: problem, 429: problem };

export const workspaceParams = z.object({ workspace: name.meta({ description: "The workspace's name." }) });
export const keyParams = z.object({ id: z.string().max(200).meta({ description: "The key's id, `key_...`." }) });

export const workspaceReply = z.object({
  id: z.string(),
  name: z.string(),
  gatewayPlan: z.enum(gatewayPlans),
  extractionPlan: z.enum(extractionPlans),
  extractionPerHour: z.int().nullable(),
  createdAt: moment,
});
export const workspacesReply = z.object({ workspaces: z.array(workspaceReply) });
export const newWorkspace = z.strictObject({ name });
export const planChange = z
  .strictObject({
    gatewayPlan: z.enum(gatewayPlans).optional(),
    extractionPlan: z.enum(extractionPlans).optional(),
    extractionPerHour: z
      .int()
      .positive()
      .max(1e7)
      .optional()
      .meta({ description: "Requests an hour on the Enterprise plan." }),
  })
  .refine((change) => Object.values(change).some((value) => value !== undefined), {
    message: "=Name at least one of gatewayPlan, extractionPlan and extractionPerHour.",
  });

export const newKey = z.strictObject({
  name: z.string(),
  scopes: z
    .array(z.string())
    .max(grantableScopes.length)
    .meta({ description: `Some of ${allScopes.join(", ")}; ["all"] for all of these; "admin" for this API.` }),
  expiresAt: z.string().optional().meta({ description: "The last day or moment, such as 2027-01-31." }),
  ...z.object(keyRules).partial().shape,
});
export const createdKey = z.object({
  id: z.string(),
  key: z.string().meta({ description: "Shown once; it cannot be recovered." }),
  scopes: z.array(z.enum(grantableScopes)),
});
export const keyReply = z.object({
  id: z.string(),
  workspaceId: z.string(),
  workspace: z.string(),
  name: z.string(),
  hint: z.string().meta({ description: "The last four characters." }),
  scopes: z.array(z.enum(grantableScopes)),
  ...keyRules,
  rulesByAdmin: z.boolean().meta({ description: "Whether members of the workspace cannot change these limits." }),
  createdBy: z.string().nullable().meta({ description: "The user who made it in the dashboard." }),
  createdAt: moment,
  expiresAt: moment.nullable(),
  revokedAt: moment.nullable(),
  lastUsedAt: moment.nullable(),
});
export const keysReply = z.object({ keys: z.array(keyReply) });
export const revokedReply = z.object({ id: z.string(), revoked: z.literal(true) });

export const namedParams = z.object({ name: name.meta({ description: "Its name; a slash in it is written %2F." }) });
export const addedKey = z.object({ id: z.string(), hint: z.string() });
export const removedReply = z.object({ id: z.string(), removed: z.literal(true) });

export const balanceReply = z.object({ workspace: z.string(), balance: dollars, lifetime_spend: dollars });
export const grantHeaders = z.looseObject({
  "idempotency-key": z
    .string()
    .min(1)
    .max(200)
    .optional()
    .meta({ description: "Your name for this payment: repeated with it, the request gives nothing more." }),
});
export const grant = z.strictObject({
  amount: z.string().max(40).meta({ description: "US dollars, such as 5.00." }),
  note: z.string().max(500).optional(),
});

export const usageQuery = z.strictObject({
  workspace: name.optional(),
  days: z.coerce.number().pipe(z.int().min(1).max(3660)).optional().meta({ description: "How far back; default 30." }),
});
export const usageReply = z.object({
  usage: z.array(
    z.object({
      day: z.string(),
      workspace: z.string(),
      service: z.string(),
      route: z.string(),
      requests: z.int(),
      errors: z.int(),
      inputTokens: z.int(),
      outputTokens: z.int(),
      audioMs: z.int(),
    }),
  ),
});
