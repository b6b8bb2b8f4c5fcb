import { and, desc, eq, lt, or } from "drizzle-orm";
import { readCursor, writeCursor } from "../platform/http/cursor.ts";
import type { Queries } from "../ports/database.ts";
import { auditLog } from "./tables.ts";

/** Newest first; of one workspace, or of all. */
export async function listAudit(
  queries: Queries,
  { workspaceId, limit, cursor }: { workspaceId?: string; limit: number; cursor?: string | undefined },
) {
  const place = cursor ? readCursor(cursor, "nextCursor") : undefined;
  const rows = await queries
    .select()
    .from(auditLog)
    .where(
      and(
        workspaceId ? eq(auditLog.workspaceId, workspaceId) : undefined,
        place && or(lt(auditLog.at, place.createdAt), and(eq(auditLog.at, place.createdAt), lt(auditLog.id, place.id))),
      ),
    )
    .orderBy(desc(auditLog.at), desc(auditLog.id))
    .limit(limit + 1);
  const shown = rows.slice(0, limit);
  const last = rows.length > limit ? shown.at(-1) : undefined;
  return {
    entries: shown.map(({ workspaceId: _, actorId: __, at, ...entry }) => ({ ...entry, at: at.toISOString() })),
    nextCursor: last ? writeCursor({ createdAt: last.at, id: last.id }) : null,
  };
}
