import { z } from "zod";
import { createKey } from "../../accounts/keys/create-key.ts";
import { keyRules } from "../../accounts/keys/key-rules.ts";
import { type ApiKey, listKeys } from "../../accounts/keys/list-keys.ts";
import { revokeKey } from "../../accounts/keys/revoke-key.ts";
import { showRules } from "../../accounts/keys/store-rules.ts";
import { parseExtractionPlan, parseGatewayPlan } from "../../accounts/plans.ts";
import { allScopes, parseScopes } from "../../accounts/scopes.ts";
import { summarizeUsage } from "../../accounts/usage/summarize.ts";
import { createWorkspace, getWorkspace, listWorkspaces, setPlan } from "../../accounts/workspaces.ts";
import type { KeyVault } from "../../adapters/vault/key-vault.ts";
import type { By } from "../../audit/audit.ts";
import { auditCredits } from "../../credits/audit.ts";
import { grant } from "../../credits/grant.ts";
import { readBalance } from "../../credits/ledger.ts";
import { formatDollars } from "../../credits/money.ts";
import { listAllUsers } from "../../dashboard/admin/lists.ts";
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
  by?: By;
}

type AdminCommand = (input: unknown, context: AdminContext) => Promise<unknown>;

/** Commands that need the database. The same code runs inside the server, reached through its socket, and in the command
 *  line's own process when no server runs. */
const adminCommands: Record<string, AdminCommand> = table({
  "workspaces create": command(z.object({ name: z.string() }), async ({ name }, context) => {
    return describeWorkspace(await createWorkspace(context.queries, name, {}, context.by));
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
        ...(gateway ? { gatewayPlan: parseGatewayPlan(gateway) } : {}),
        ...(extraction ? { extractionPlan: parseExtractionPlan(extraction) } : {}),
        ...(extractionPerHour ? { extractionPerHour } : {}),
      };
      const { id } = await getWorkspace(context.queries, name);
      return describeWorkspace(await setPlan(context.queries, id, change, context.by));
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
      const wanted = {
        workspaceId: (await getWorkspace(context.queries, workspace)).id,
        name,
        scopes: parseScopes(scopes.length === 1 && scopes[0] === "all" ? allScopes : scopes),
        expiresAt: expiresAt ? parseMoment(expiresAt) : undefined,
        rules,
      };
      return createKey(context.queries, wanted, context.by);
    },
  ),
  "keys list": command(z.object({ workspace: z.string().optional() }), async ({ workspace }, { queries }) => {
    const keys = await listKeys(queries, workspace ? (await getWorkspace(queries, workspace)).id : undefined);
    return keys.map(describeKey);
  }),
  "keys revoke": command(z.object({ id: z.string() }), async ({ id }, context) => {
    await revokeKey(context.queries, { id }, context.by);
    return { id, revoked: true };
  }),
  "credits grant": command(
    z.object({
      workspace: z.string(),
      amount: z.string(),
      note: z.string().default(""),
      reference: z.string().optional(),
    }),
    async ({ workspace, amount: amountUsd, note, reference }, { queries, by = {} }) => {
      const to = await getWorkspace(queries, workspace);
      const balance = await grant(queries, { workspace: to, amountUsd, note, reference }, by);
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
  "setup-link": command(z.object({}), async (_input, { queries, publicUrl, by }) => {
    return { url: await createSetupLink(queries, systemClock, publicUrl(), by), expires: "in 30 minutes" };
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
      const { queries, publicUrl, by = {} } = context;
      return createResetLinkFor(queries, systemClock, publicUrl(), wanted, by);
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
  return moment;
}
