import { inArray } from "drizzle-orm";
import { showRules } from "../../accounts/keys/store-rules.ts";
import type { apiKeys } from "../../accounts/tables.ts";
import { monthOf, readKeyCharges } from "../../credits/key-days.ts";
import { formatDollars } from "../../credits/money.ts";
import { dayMs, isoDateOf } from "../../platform/days.ts";
import type { WorkspaceVisit } from "../context.ts";
import type { ApiKeyDetails } from "../contract/keys.ts";
import type { DashboardParts } from "../parts.ts";
import { outranks } from "../people/memberships.ts";
import { users } from "../tables.ts";
import { countRequests } from "../usage/count-requests.ts";

type KeyRow = typeof apiKeys.$inferSelect;

/** Keys as the list shows them: who made them, what they did lately, what they cost. */
export async function showKeys(
  { database, clock, usage, gateway }: DashboardParts,
  { workspace, role, user }: WorkspaceVisit,
  rows: readonly KeyRow[],
): Promise<ApiKeyDetails[]> {
  const { queries } = database;
  const ids = rows.map(({ id }) => id);
  const makers = [...new Set(rows.flatMap(({ createdBy }) => createdBy ?? []))];
  const since = isoDateOf(new Date(clock.now() - 29 * dayMs));
  await Promise.all([usage.flush(), gateway.books.flush()]);
  const [names, counts, spent, spentThisMonth, spentToday] = await Promise.all([
    makers.length === 0
      ? []
      : queries.select({ id: users.id, name: users.name }).from(users).where(inArray(users.id, makers)),
    countRequests(queries, workspace.id, since),
    readKeyCharges(queries, ids, since),
    readKeyCharges(queries, ids, monthOf(clock.now())),
    readKeyCharges(queries, ids, isoDateOf(new Date(clock.now()))),
  ]);
  const nameOf = new Map(names.map(({ id, name }) => [id, name]));
  return rows.map((key) => ({
    id: key.id,
    name: key.name,
    hint: key.hint,
    scopes: key.scopes,
    createdAt: key.createdAt.toISOString(),
    createdBy: key.createdBy === null ? null : (nameOf.get(key.createdBy) ?? ""),
    expiresAt: key.expiresAt?.toISOString() ?? null,
    revokedAt: key.revokedAt?.toISOString() ?? null,
    lastUsedAt: key.lastUsedAt?.toISOString() ?? null,
    state: key.revokedAt ? "revoked" : key.expiresAt && key.expiresAt.getTime() <= clock.now() ? "expired" : "active",
    ...showRules(key),
    spentTodayUsd: formatDollars(spentToday.get(key.id) ?? 0n),
    spentThisMonthUsd: formatDollars(spentThisMonth.get(key.id) ?? 0n),
    last30Days: {
      ...(counts.get(key.id) ?? { requests: 0, errors: 0 }),
      spentUsd: formatDollars(spent.get(key.id) ?? 0n),
    },
    rulesByAdmin: key.rulesByAdmin,
    isYours: key.createdBy === user.id || outranks(role, "admin"),
  }));
}
