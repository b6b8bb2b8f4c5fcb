import { eq } from "drizzle-orm";
import { Problem } from "../platform/errors.ts";
import { newId } from "../platform/ids.ts";
import type { Queries } from "../ports/database.ts";
import type { ExtractionPlan, GatewayPlan } from "./plans.ts";
import { workspaces } from "./tables.ts";

export type Workspace = typeof workspaces.$inferSelect;

export interface PlanChange {
  gateway?: GatewayPlan;
  extraction?: ExtractionPlan;
  /** Requests an hour on the Enterprise plan. */
  extractionPerHour?: number;
}

export async function createWorkspace(queries: Queries, name: string, plans: PlanChange = {}): Promise<Workspace> {
  if (!/^[\p{L}\p{N}][\p{L}\p{N} ._-]{0,79}$/u.test(name)) {
    throw new Problem(
      "invalid_request",
      `"${name}" is not a workspace name: 1 to 80 letters, digits, spaces, dots, hyphens.`,
    );
  }
  const [created] = await queries
    .insert(workspaces)
    .values({ id: newId("ws_"), name, ...columnsOf(plans) })
    .onConflictDoNothing({ target: workspaces.name })
    .returning();
  if (!created) throw new Problem("conflict", `There is already a workspace "${name}".`);
  return created;
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

export function listWorkspaces(queries: Queries): Promise<Workspace[]> {
  return queries.select().from(workspaces).orderBy(workspaces.createdAt, workspaces.id);
}

export async function setPlan(queries: Queries, name: string, plans: PlanChange): Promise<Workspace> {
  const [changed] = await queries.update(workspaces).set(columnsOf(plans)).where(eq(workspaces.name, name)).returning();
  if (!changed) throw new Problem("not_found", `There is no workspace "${name}".`);
  return changed;
}

function columnsOf(plans: PlanChange): Partial<typeof workspaces.$inferInsert> {
  return {
    ...(plans.gateway ? { gatewayPlan: plans.gateway } : {}),
    ...(plans.extraction ? { extractionPlan: plans.extraction } : {}),
    ...(plans.extractionPerHour ? { extractionPerHour: plans.extractionPerHour } : {}),
  };
}
