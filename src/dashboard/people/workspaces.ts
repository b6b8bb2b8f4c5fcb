import { and, count, eq, ne } from "drizzle-orm";
import { workspaces } from "../../accounts/tables.ts";
import { createWorkspace, type Workspace } from "../../accounts/workspaces.ts";
import { audit } from "../../audit/audit.ts";
import { listAudit } from "../../audit/list-audit.ts";
import { Problem } from "../../platform/errors.ts";
import type { Queries } from "../../ports/database.ts";
import type { Handlers } from "../context.ts";
import type { Role } from "../contract/fields.ts";
import type { WorkspaceDetails } from "../contract/workspaces.ts";
import type { DashboardParts } from "../parts.ts";
import { memberships } from "../tables.ts";

/** A guess: nobody needs more, and names of workspaces are shared by the whole installation. */
const mostOwned = 20;

type Mine = "createWorkspace" | "getWorkspace" | "renameWorkspace" | "listAudit";

export function workspaceHandlers({ database }: DashboardParts): Handlers<Mine> {
  const { queries } = database;
  return {
    async createWorkspace({ body }, { user, address }) {
      const isOwner = and(eq(memberships.userId, user.id), eq(memberships.role, "owner"));
      const [owned] = await queries.select({ count: count() }).from(memberships).where(isOwner);
      if (owned!.count >= mostOwned && !user.isInstallationOwner) {
        throw new Problem("conflict", `You own ${mostOwned} workspaces already. Leave one first.`);
      }
      const workspace = await queries.transaction(async (transaction) => {
        const made = await createWorkspace(transaction, body.name, {}, { actor: user, address });
        await transaction.insert(memberships).values({ workspaceId: made.id, userId: user.id, role: "owner" });
        return made;
      });
      return showWorkspace(queries, workspace, "owner");
    },

    getWorkspace: async (_input, { workspace, role }) => showWorkspace(queries, workspace, role),

    async renameWorkspace({ body }, { workspace, role, user, address }) {
      const renamed = await queries.transaction(async (transaction) => {
        const taken = and(eq(workspaces.name, body.name), ne(workspaces.id, workspace.id));
        if ((await transaction.select({ id: workspaces.id }).from(workspaces).where(taken)).length > 0) {
          throw new Problem("conflict", `There is already a workspace "${body.name}".`, { field: "name" });
        }
        const [changed] = await transaction
          .update(workspaces)
          .set({ name: body.name })
          .where(eq(workspaces.id, workspace.id))
          .returning();
        const details = { from: workspace.name, to: body.name };
        await audit(transaction, { action: "workspace-renamed", actor: user, workspace: changed!, details, address });
        return changed!;
      });
      return showWorkspace(queries, renamed, role);
    },

    listAudit: ({ query }, { workspace }) => listAudit(queries, { workspaceId: workspace.id, ...query }),
  };
}

async function showWorkspace(queries: Queries, workspace: Workspace, role: Role): Promise<WorkspaceDetails> {
  const { id, name, createdAt, gatewayPlan, extractionPlan } = workspace;
  const [members] = await queries.select({ count: count() }).from(memberships).where(eq(memberships.workspaceId, id));
  return { id, name, role, createdAt: createdAt.toISOString(), gatewayPlan, extractionPlan, members: members!.count };
}
