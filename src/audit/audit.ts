import { newId } from "../platform/ids.ts";
import { storableText } from "../platform/storable.ts";
import type { Queries } from "../ports/database.ts";
import { auditLog } from "./tables.ts";

/** What administrators do, and how people get in. A thing and what happened to it. */
export type AuditAction =
  | "setup-link-created"
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
  | "sign-in-failed"
  | "session-revoked"
  | "key-created"
  | "key-changed"
  | "key-revoked"
  | "playground-key-created"
  | "low-balance-changed"
  | "credits-granted";

/** Who does something: somebody who is signed in, an admin key, a stranger of whom only the address is known, or the command line. */
export interface By {
  actor?: { id: string; name: string; email: string };
  /** The id of the admin key. */
  byKey?: string;
  address?: string;
}

export interface AuditEvent extends By {
  action: AuditAction;
  workspace?: { id: string; name: string };
  /** Whom or what it was done to, by name. */
  target?: string;
  /** What changed. Never a secret. */
  details?: Record<string, string | number | boolean | null | undefined | readonly string[]>;
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
    actor: actor?.name ?? (byKey ? `API key ${byKey}` : address ? "a stranger" : "command line"),
    actorEmail: actor?.email ?? null,
    workspaceId: workspace?.id ?? null,
    workspace: workspace?.name ?? null,
    target: target === undefined ? null : storableText(target),
    details,
    address: address ?? null,
  });
}
