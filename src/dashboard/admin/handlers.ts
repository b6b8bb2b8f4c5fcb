import { availableParallelism } from "node:os";
import { eq, sql } from "drizzle-orm";
import { workspaces } from "../../accounts/tables.ts";
import { setPlan, type Workspace } from "../../accounts/workspaces.ts";
import { grantCredits } from "../../credits/ledger.ts";
import { formatDollars, parseDollars } from "../../credits/money.ts";
import { Problem } from "../../platform/errors.ts";
import { packageVersion } from "../../platform/package-root.ts";
import { audit, listAudit } from "../audit.ts";
import type { Handlers } from "../context.ts";
import type { DashboardParts } from "../parts.ts";
import { makeResetLink } from "../sign-in/setup-link.ts";
import { users } from "../tables.ts";
import { listAllUsers, listAllWorkspaces } from "./lists.ts";

const patienceMs = 3000;

type Mine =
  | "listAllWorkspaces"
  | "setPlans"
  | "grantCredits"
  | "listUsers"
  | "createUserResetLink"
  | "listEngines"
  | "listModelFiles"
  | "listSettings"
  | "getHealth"
  | "listAllAudit";

export function adminHandlers(parts: DashboardParts): Handlers<Mine> {
  const { database, clock, gateway, usage } = parts;
  const { queries } = database;
  const startedAt = new Date(clock.now()).toISOString();

  async function getWorkspace(id: string): Promise<Workspace> {
    const [found] = await queries.select().from(workspaces).where(eq(workspaces.id, id));
    if (!found) throw new Problem("not_found", "There is no such workspace.");
    return found;
  }

  return {
    async listAllWorkspaces() {
      await Promise.all([usage.flush(), gateway.books.flush()]);
      return { workspaces: await listAllWorkspaces(queries, clock.now()) };
    },

    async setPlans({ params, body }, { user, address }) {
      const workspace = await getWorkspace(params.workspaceId);
      const { gatewayPlan, extractionPlan, extractionPerHour } = body;
      if (gatewayPlan || extractionPlan || extractionPerHour) {
        await queries.transaction(async (transaction) => {
          await setPlan(transaction, workspace.name, {
            ...(gatewayPlan ? { gateway: gatewayPlan } : {}),
            ...(extractionPlan ? { extraction: extractionPlan } : {}),
            ...(extractionPerHour ? { extractionPerHour } : {}),
          });
          await audit(transaction, { action: "plan-changed", actor: user, workspace, details: body, address });
        });
      }
      const all = await listAllWorkspaces(queries, clock.now(), workspace.id);
      return all[0]!;
    },

    async grantCredits({ params, body }, { user, address }) {
      const workspace = await getWorkspace(params.workspaceId);
      const { balance } = await queries.transaction(async (transaction) => {
        const details = { amountUsd: body.amountUsd, note: body.note };
        await audit(transaction, { action: "credits-granted", actor: user, workspace, details, address });
        return grantCredits(transaction, workspace.id, parseDollars(body.amountUsd), body.note);
      });
      return { balanceUsd: formatDollars(balance) };
    },

    listUsers: async () => ({ users: await listAllUsers(queries) }),

    async createUserResetLink({ params, body }, { user, address }) {
      const [target] = await queries.select().from(users).where(eq(users.id, params.userId));
      if (!target) throw new Problem("not_found", "There is no such user.");
      const { removesSecondFactor } = body;
      const link = await makeResetLink(queries, clock, parts.publicUrl(), {
        userId: target.id,
        removesSecondFactor,
        createdBy: user.id,
      });
      const details = { removesSecondFactor };
      await audit(queries, { action: "reset-link-created", actor: user, target: target.email, details, address });
      return link;
    },

    listEngines: async () => ({ engines: parts.engines() }),

    async listModelFiles() {
      const { isRunning, current, failure } = parts.pull();
      return {
        models: parts.models(),
        pull: {
          isRunning,
          model: current?.model ?? null,
          stage: current?.stage ?? null,
          progress: current?.fraction ?? null,
          failure: failure ?? null,
        },
      };
    },

    listSettings: async () => ({ settings: parts.settings() }),

    async getHealth() {
      const isUp = await answers();
      const { troubles } = parts.health;
      const isComplete = parts.engines().every(({ state }) => state === "ready" || state === "idle");
      const canServe = isUp && Object.keys(troubles).length === 0;
      return {
        status: !canServe ? "unavailable" : isComplete ? "ready" : "partial",
        version: packageVersion(),
        node: process.version,
        startedAt,
        database: { kind: database.kind, isUp },
        troubles,
        memoryBytes: process.memoryUsage.rss(),
        processors: availableParallelism(),
      };
    },

    listAllAudit: ({ query }) => listAudit(queries, query),
  };

  async function answers(): Promise<boolean> {
    const late = new Promise<false>((resolve) => setTimeout(() => resolve(false), patienceMs).unref());
    const asked = queries.execute(sql`SELECT 1`).then(
      () => true,
      () => false,
    );
    return Promise.race([asked, late]);
  }
}
