import { eq, max, sql } from "drizzle-orm";
import type { ExtractionPlan, GatewayPlan } from "../../accounts/plans.ts";
import { workspaces } from "../../accounts/tables.ts";
import { formatDollars } from "../../credits/money.ts";
import { dayMs, isoDateOf } from "../../platform/days.ts";
import type { Queries } from "../../ports/database.ts";
import type { UserRow, WorkspaceRow } from "../contract/admin.ts";
import { memberships, userSessions, users } from "../tables.ts";

/** Every workspace of the installation, or one of them, with what it has and does. */
export async function listAllWorkspaces(queries: Queries, nowMs: number, only?: string): Promise<WorkspaceRow[]> {
  const since = isoDateOf(new Date(nowMs - 29 * dayMs));
  const { rows } = await queries.execute<Record<string, string | number | null>>(sql`
    SELECT w.id, w.name, (extract(epoch FROM w.created_at) * 1000)::bigint::text AS created_ms, w.gateway_plan,
      w.extraction_plan, w.extraction_per_hour,
      (SELECT count(*) FROM memberships WHERE workspace_id = w.id)::text AS members,
      (SELECT count(*) FROM api_keys WHERE workspace_id = w.id AND revoked_at IS NULL AND session_id IS NULL
        AND (expires_at IS NULL OR expires_at > now()))::text AS keys,
      coalesce(a.balance, 0)::text AS balance, coalesce(a.lifetime_spend, 0)::text AS spend,
      coalesce(u.requests, 0)::text AS requests
    FROM workspaces AS w
    LEFT JOIN credit_accounts AS a ON a.workspace_id = w.id
    LEFT JOIN (
      SELECT workspace_id, sum(cardinality(at_ms)) AS requests FROM usage_groups WHERE day >= ${since}::date GROUP BY 1
    ) AS u ON u.workspace_id = w.id
    WHERE ${only ? sql`w.id = ${only}` : sql`true`}
    ORDER BY w.created_at, w.id`);
  return rows.map((row) => ({
    id: String(row.id),
    name: String(row.name),
    createdAt: new Date(Number(row.created_ms)).toISOString(),
    gatewayPlan: row.gateway_plan as GatewayPlan,
    extractionPlan: row.extraction_plan as ExtractionPlan,
    extractionPerHour: row.extraction_per_hour === null ? null : Number(row.extraction_per_hour),
    members: Number(row.members),
    activeKeys: Number(row.keys),
    balanceUsd: formatDollars(BigInt(row.balance!)),
    lifetimeSpendUsd: formatDollars(BigInt(row.spend!)),
    requestsLast30Days: Number(row.requests),
  }));
}

export async function listAllUsers(queries: Queries): Promise<UserRow[]> {
  const [rows, joined] = await Promise.all([
    queries
      .select({ user: users, lastSeenAt: max(userSessions.lastSeenAt) })
      .from(users)
      .leftJoin(userSessions, eq(userSessions.userId, users.id))
      .groupBy(users.id)
      .orderBy(users.createdAt, users.id),
    queries
      .select({ userId: memberships.userId, id: workspaces.id, name: workspaces.name, role: memberships.role })
      .from(memberships)
      .innerJoin(workspaces, eq(memberships.workspaceId, workspaces.id))
      .orderBy(memberships.joinedAt, workspaces.id),
  ]);
  return rows.map(({ user, lastSeenAt }) => ({
    id: user.id,
    name: user.name,
    email: user.email,
    createdAt: user.createdAt.toISOString(),
    lastSeenAt: lastSeenAt?.toISOString() ?? null,
    hasSecondFactor: user.totpConfirmedAt !== null,
    isInstallationOwner: user.isInstallationOwner,
    workspaces: joined.filter(({ userId }) => userId === user.id).map(({ id, name, role }) => ({ id, name, role })),
  }));
}
