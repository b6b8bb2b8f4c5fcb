import { availableParallelism } from "node:os";
import { eq, sql } from "drizzle-orm";
import { getWorkspaceById, setPlan } from "../../accounts/workspaces.ts";
import { listAudit } from "../../audit/list-audit.ts";
import { grant } from "../../credits/grant.ts";
import { formatDollars } from "../../credits/money.ts";
import { Problem } from "../../platform/errors.ts";
import { packageVersion } from "../../platform/package-root.ts";
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

  return {
    async listAllWorkspaces() {
      await Promise.all([usage.flush(), gateway.books.flush()]);
      return { workspaces: await listAllWorkspaces(queries, clock.now()) };
    },

    async setPlans({ params, body }, { user, address }) {
      const { id } = await getWorkspaceById(queries, params.workspaceId);
      if (Object.keys(body).length > 0) await setPlan(queries, id, body, { actor: user, address });
      const all = await listAllWorkspaces(queries, clock.now(), id);
      return all[0]!;
    },

    async grantCredits({ params, body }, { user, address }) {
      const workspace = await getWorkspaceById(queries, params.workspaceId);
      const { balance } = await grant(queries, { workspace, ...body }, { actor: user, address });
      return { balanceUsd: formatDollars(balance) };
    },

    listUsers: async () => ({ users: await listAllUsers(queries) }),

    async createUserResetLink({ params, body }, { user, address }) {
      const [target] = await queries.select().from(users).where(eq(users.id, params.userId));
      if (!target) throw new Problem("not_found", "There is no such user.");
      return makeResetLink(queries, clock, parts.publicUrl(), { target, ...body }, { actor: user, address });
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
