import { and, desc, eq, lt, or } from "drizzle-orm";
import { readCursor, writeCursor } from "../platform/http/cursor.ts";
import { newId } from "../platform/ids.ts";
import { storableText } from "../platform/storable.ts";
import type { Queries } from "../ports/database.ts";
import type { AuditEntry } from "./contract/workspaces.ts";
import { auditLog } from "./tables.ts";

/** What administrators do. A thing and what happened to it. */
export type AuditAction =
  | "installation-set-up"
  | "workspace-created"
  | "workspace-renamed"
  | "plan-changed"
  | "member-joined"
  | "member-left"
  | "member-removed"
  | "role-changed"
  | "invitation-created"
  | "invitation-resent"
  | "invitation-revoked"
  | "reset-link-created"
  | "password-reset"
  | "password-changed"
  | "second-factor-added"
  | "second-factor-removed"
  | "recovery-codes-renewed"
  | "signed-in"
  | "session-revoked"
  | "key-created"
  | "key-changed"
  | "key-revoked"
  | "playground-key-created"
  | "low-balance-changed"
  | "credits-granted";

export interface AuditEvent {
  action: AuditAction;
  /** Undefined for the command line and for strangers with a link. */
  actor?: { id: string; name: string; email: string };
  /** The id of the admin key that did it. */
  byKey?: string;
  workspace?: { id: string; name: string };
  /** Whom or what it was done to, by name. */
  target?: string;
  /** What changed. Never a secret. */
  details?: Record<string, string | number | boolean | null | undefined | readonly string[]>;
  address?: string;
}

/** To be called in the transaction of what it tells about: both are written, or neither. */
export async function audit(queries: Queries, event: AuditEvent): Promise<void> {
  const { action, actor, byKey, workspace, target, details = {}, address } = event;
  await queries.insert(auditLog).values({
    id: newId("aud_"),
    // To the millisecond, as cursors have it.
    at: new Date(),
    action,
    actorId: actor?.id ?? null,
    actor: actor?.name ?? (byKey ? `API key ${byKey}` : "command line"),
    actorEmail: actor?.email ?? null,
    workspaceId: workspace?.id ?? null,
    workspace: workspace?.name ?? null,
    target: target === undefined ? null : storableText(target),
    details,
    address: address ?? null,
  });
}

export interface AuditPage {
  entries: AuditEntry[];
  nextCursor: string | null;
}

/** Newest first; of one workspace, or of all. */
export async function listAudit(
  queries: Queries,
  { workspaceId, limit, cursor }: { workspaceId?: string; limit: number; cursor?: string | undefined },
): Promise<AuditPage> {
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
