import { eq } from "drizzle-orm";
import { audit, type By } from "../audit/audit.ts";
import { Problem } from "../platform/errors.ts";
import { newId } from "../platform/ids.ts";
import type { Queries } from "../ports/database.ts";
import type { ExtractionPlan, GatewayPlan } from "./plans.ts";
import { workspaces } from "./tables.ts";

export type Workspace = typeof workspaces.$inferSelect;

export interface PlanChange {
  gatewayPlan?: GatewayPlan | undefined;
  extractionPlan?: ExtractionPlan | undefined;
  /** Requests an hour on the Enterprise plan. */
  extractionPerHour?: number | undefined;
}

export async function createWorkspace(
  queries: Queries,
  name: string,
  plans: PlanChange = {},
  by: By = {},
): Promise<Workspace> {
  if (!/^[\p{L}\p{N}][\p{L}\p{N} ._-]{0,79}$/u.test(name)) {
    throw new Problem(
      "invalid_request",
      `"${name}" is not a workspace name: 1 to 80 letters, digits, spaces, dots, hyphens.`,
    );
  }
  return queries.transaction(async (transaction) => {
    const [created] = await transaction
      .insert(workspaces)
      .values({ id: newId("ws_"), name, ...plans })
      .onConflictDoNothing({ target: workspaces.name })
      .returning();
    if (!created) throw new Problem("conflict", `There is already a workspace "${name}".`);
    await audit(transaction, { action: "workspace-created", ...by, workspace: created });
    return created;
  });
}

export async function findWorkspace(queries: Queries, name: string): Promise<Workspace | undefined> {
  const [found] = await queries.select().from(workspaces).where(eq(workspaces.name, name));
  return found;
}

export async function getWorkspace(queries: Queries, name: string): Promise<Workspace> {
  const found = await findWorkspace(queries, name);
  if (!found) throw new Problem("not_found", `There is no workspace "${name}".`);
  return found;
}

export async function getWorkspaceById(queries: Queries, id: string): Promise<Workspace> {
  const [found] = await queries.select().from(workspaces).where(eq(workspaces.id, id));
  if (!found) throw new Problem("not_found", "There is no such workspace.");
  return found;
}

export function listWorkspaces(queries: Queries): Promise<Workspace[]> {
  return queries.select().from(workspaces).orderBy(workspaces.createdAt, workspaces.id);
}

/** Gives a workspace, by its id, other plans. */
export function setPlan(queries: Queries, id: string, change: PlanChange, by: By = {}): Promise<Workspace> {
  return queries.transaction(async (transaction) => {
    const [changed] = await transaction.update(workspaces).set(change).where(eq(workspaces.id, id)).returning();
    if (!changed) throw new Problem("not_found", "There is no such workspace.");
    await audit(transaction, { action: "plan-changed", ...by, workspace: changed, details: { ...change } });
    return changed;
  });
}
