import { z } from "zod";
import { keyRules } from "../../accounts/key-rules.ts";
import { type ApiKey, createKey, listKeys, revokeKey } from "../../accounts/keys.ts";
import { parseExtractionPlan, parseGatewayPlan } from "../../accounts/plans.ts";
import { allScopes, parseScopes } from "../../accounts/scopes.ts";
import { summarizeUsage } from "../../accounts/usage/summarize.ts";
import { createWorkspace, getWorkspace, listWorkspaces, setPlan } from "../../accounts/workspaces.ts";
import type { KeyVault } from "../../adapters/vault/key-vault.ts";
import { auditCredits } from "../../credits/audit.ts";
import { grantCredits, readBalance } from "../../credits/ledger.ts";
import { formatDollars, parseDollars } from "../../credits/money.ts";
import { listAllUsers } from "../../dashboard/admin/lists.ts";
import { type AuditEvent, audit } from "../../dashboard/audit.ts";
import { showRules, storeRules } from "../../dashboard/keys/store-rules.ts";
import { createResetLinkFor, createSetupLink } from "../../dashboard/sign-in/setup-link.ts";
import { systemClock } from "../../platform/clock.ts";
import { list, Problem } from "../../platform/errors.ts";
import { parseWith } from "../../platform/http/validate.ts";
import { table } from "../../platform/table.ts";
import type { Queries } from "../../ports/database.ts";
import { countLocked, restoreKeys, writeKeys } from "../backup/keys.ts";
import { restoreBackup } from "../backup/restore-backup.ts";
import { writeBackup } from "../backup/write-backup.ts";

export interface AdminContext {
  queries: Queries;
  /** Brings buffered usage records into the database, so that a question sees them. */
  flushUsage(): Promise<void>;
  /** The data keys of this data folder. */
  vault(): Promise<KeyVault>;
  /** Where the dashboard's links lead. */
  publicUrl(): string;
  /** The admin key that asks, and from where; absent for the command line. */
  by?: { key: string; address: string };
}

type AdminCommand = (input: unknown, context: AdminContext) => Promise<unknown>;

/** Commands that need the database. The same code runs inside the server, reached through its socket, and in the command
 *  line's own process when no server runs. */
const adminCommands: Record<string, AdminCommand> = table({
  "workspaces create": command(z.object({ name: z.string() }), async ({ name }, context) => {
    const workspace = await createWorkspace(context.queries, name);
    await note(context, { action: "workspace-created", workspace });
    return describeWorkspace(workspace);
  }),
  "workspaces list": command(z.object({}), async (_input, { queries }) => {
    return (await listWorkspaces(queries)).map(describeWorkspace);
  }),
  "workspaces set-plan": command(
    z.object({
      name: z.string(),
      gateway: z.string().optional(),
      extraction: z.string().optional(),
      extractionPerHour: z.int().positive().optional(),
    }),
    async ({ name, gateway, extraction, extractionPerHour }, context) => {
      if (!gateway && !extraction && !extractionPerHour) {
        throw new Problem("invalid_request", "Say which plan: --gateway PLUS, --extraction Starter, or both.");
      }
      const change = {
        ...(gateway ? { gateway: parseGatewayPlan(gateway) } : {}),
        ...(extraction ? { extraction: parseExtractionPlan(extraction) } : {}),
        ...(extractionPerHour ? { extractionPerHour } : {}),
      };
      const workspace = await setPlan(context.queries, name, change);
      await note(context, { action: "plan-changed", workspace, details: change });
      return describeWorkspace(workspace);
    },
  ),
  "keys create": command(
    z.object({
      workspace: z.string(),
      name: z.string(),
      scopes: z.array(z.string()),
      expiresAt: z.string().optional(),
      ...z.object(keyRules).partial().shape,
    }),
    async ({ workspace, name, scopes, expiresAt, ...rules }, context) => {
      const found = await getWorkspace(context.queries, workspace);
      const made = await createKey(context.queries, {
        workspaceId: found.id,
        name,
        scopes: parseScopes(scopes.length === 1 && scopes[0] === "all" ? allScopes : scopes),
        ...(expiresAt ? { expiresAt: parseMoment(expiresAt) } : {}),
        rules: storeRules(rules),
      });
      const details = { key: made.id, scopes: made.scopes, ...rules };
      await note(context, { action: "key-created", workspace: found, target: name, details });
      return made;
    },
  ),
  "keys list": command(z.object({ workspace: z.string().optional() }), async ({ workspace }, { queries }) => {
    const keys = await listKeys(queries, workspace ? (await getWorkspace(queries, workspace)).id : undefined);
    return keys.map(describeKey);
  }),
  "keys revoke": command(z.object({ id: z.string() }), async ({ id }, context) => {
    const { queries } = context;
    await revokeKey(queries, id);
    const key = (await listKeys(queries)).find((one) => one.id === id);
    const workspace = key ? { id: key.workspaceId, name: key.workspace } : undefined;
    await note(context, {
      action: "key-revoked",
      details: { key: id },
      ...(key && workspace ? { workspace, target: key.name } : {}),
    });
    return { id, revoked: true };
  }),
  "credits grant": command(
    z.object({ workspace: z.string(), amount: z.string(), note: z.string().default("") }),
    async ({ workspace, amount, note: reason }, context) => {
      const found = await getWorkspace(context.queries, workspace);
      const balance = await grantCredits(context.queries, found.id, parseDollars(amount), reason);
      const details = { amountUsd: amount, note: reason };
      await note(context, { action: "credits-granted", workspace: found, details });
      return {
        workspace,
        balance: formatDollars(balance.balance),
        lifetime_spend: formatDollars(balance.lifetimeSpend),
      };
    },
  ),
  "credits balance": command(z.object({ workspace: z.string() }), async ({ workspace }, { queries }) => {
    const { id } = await getWorkspace(queries, workspace);
    const balance = await readBalance(queries, id);
    return { workspace, balance: formatDollars(balance.balance), lifetime_spend: formatDollars(balance.lifetimeSpend) };
  }),
  "credits audit": command(z.object({}), async (_input, { queries }) => {
    const names = new Map((await listWorkspaces(queries)).map(({ id, name }) => [id, name]));
    return (await auditCredits(queries)).map((account) => ({
      workspace: names.get(account.workspaceId) ?? account.workspaceId,
      balance: formatDollars(account.balance),
      ledger: formatDollars(account.ledgerBalance),
      lifetime_spend: formatDollars(account.lifetimeSpend),
      ledger_spend: formatDollars(account.ledgerSpend),
      in_use: formatDollars(account.leased),
      verdict: account.isRight ? "right" : "WRONG",
    }));
  }),
  "setup-link": command(z.object({}), async (_input, { queries, publicUrl }) => {
    return { url: await createSetupLink(queries, systemClock, publicUrl()), expires: "in 30 minutes" };
  }),
  "users list": command(z.object({}), async (_input, { queries }) => {
    return (await listAllUsers(queries)).map(
      ({ email, name, isInstallationOwner, hasSecondFactor, lastSeenAt, workspaces }) => ({
        email,
        name,
        workspaces: workspaces.map((one) => `${one.name} (${one.role})`),
        installation_owner: isInstallationOwner,
        second_factor: hasSecondFactor,
        last_seen: lastSeenAt,
      }),
    );
  }),
  "users reset-link": command(
    z.object({ email: z.string(), removesSecondFactor: z.boolean().default(false) }),
    async (wanted, context) => {
      const { queries, publicUrl } = context;
      const link = await createResetLinkFor(queries, systemClock, publicUrl(), wanted);
      const details = { removesSecondFactor: wanted.removesSecondFactor };
      await note(context, { action: "reset-link-created", target: wanted.email, details });
      return link;
    },
  ),
  backup: command(
    z.object({ file: z.string(), keys: z.string().optional(), dataDir: z.string() }),
    async ({ file, keys, dataDir }, { queries, flushUsage, vault }) => {
      await flushUsage();
      const summary = await writeBackup(queries, dataDir, file);
      return keys === undefined ? summary : { ...summary, keys: await writeKeys(await vault(), dataDir, keys) };
    },
  ),
  restore: command(
    z.object({ file: z.string(), keys: z.string().optional(), dataDir: z.string() }),
    async ({ file, keys, dataDir }, { queries, vault }) => {
      const summary = await restoreBackup(queries, dataDir, file);
      const deleted_since = await restoreKeys(queries, await vault(), dataDir, keys);
      return { ...summary, deleted_since, without_key: await countLocked(queries, await vault()) };
    },
  ),
  usage: command(
    z.object({ workspace: z.string().optional(), days: z.int().positive().default(30) }),
    async ({ workspace, days }, { queries, flushUsage }) => {
      await flushUsage();
      return summarizeUsage(queries, {
        from: new Date(Date.now() - days * 86_400_000),
        ...(workspace ? { workspaceId: (await getWorkspace(queries, workspace)).id } : {}),
      });
    },
  ),
});

export async function runAdminCommand(name: string, input: unknown, context: AdminContext): Promise<unknown> {
  const found = adminCommands[name];
  if (!found)
    throw new Problem("not_found", `There is no command "${name}". Commands: ${list(Object.keys(adminCommands))}.`);
  return found(input, context);
}

function command<Schema extends z.ZodType>(
  schema: Schema,
  run: (input: z.output<Schema>, context: AdminContext) => Promise<unknown>,
): AdminCommand {
  return async (input, context) => run(parseWith(schema, input, "The command"), context);
}

/** In the dashboard's audit log. */
async function note({ queries, by }: AdminContext, event: AuditEvent): Promise<void> {
  await audit(queries, by ? { ...event, byKey: by.key, address: by.address } : event);
}

/** Money as text: JSON has no numbers that large. */
function describeKey({ monthlyLimit, dailyLimit, sessionId: _, ...key }: ApiKey) {
  return { ...key, ...showRules({ ...key, monthlyLimit, dailyLimit }) };
}

function describeWorkspace(workspace: Awaited<ReturnType<typeof getWorkspace>>) {
  const { id, name, gatewayPlan, extractionPlan, extractionPerHour, createdAt } = workspace;
  return { id, name, gatewayPlan, extractionPlan, extractionPerHour, createdAt };
}

function parseMoment(text: string): Date {
  const moment = new Date(text);
  if (Number.isNaN(moment.getTime()))
    throw new Problem("invalid_request", `"${text}" is not a date, such as 2027-01-31.`);
  // A day without a time is the last one that the key is good for.
  if (/^\d{4}-\d{2}-\d{2}$/.test(text.trim())) moment.setUTCHours(23, 59, 59, 999);
  if (moment.getTime() <= Date.now()) throw new Problem("invalid_request", `"${text}" has passed. Name a later date.`);
  return moment;
}
