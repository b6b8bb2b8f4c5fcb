import { z } from "zod";
import { emailAddress, id, label, moment, nextCursor, pageQuery, role, workspaceParams } from "./fields.ts";
import { nothing, type RouteContract } from "./route.ts";

const workspaceName = label(80).refine(
  (name) => /^[\p{L}\p{N}][\p{L}\p{N} ._-]*$/u.test(name),
  "must be letters, digits, spaces, dots and hyphens",
);

const workspace = z.object({
  id,
  name: z.string(),
  role,
  createdAt: moment,
  gatewayPlan: z.string(),
  extractionPlan: z.string(),
  members: z.number(),
});
export type WorkspaceDetails = z.infer<typeof workspace>;

const member = z.object({
  userId: id,
  name: z.string(),
  email: z.string(),
  role,
  joinedAt: moment,
  lastSeenAt: moment.nullable(),
  hasSecondFactor: z.boolean(),
  isYou: z.boolean(),
});
export type Member = z.infer<typeof member>;

const invitation = z.object({
  id,
  email: z.string(),
  role,
  invitedBy: z.string(),
  createdAt: moment,
  expiresAt: moment,
  isExpired: z.boolean(),
});
export type Invitation = z.infer<typeof invitation>;
/** The link is told once; asking for it again makes a new one and ends the old. */
const invitationLink = z.object({ invitation, url: z.string() });

/** One line of the audit log. `details` says what changed, never a secret. */
export const auditEntry = z.object({
  id,
  at: moment,
  /** A thing and what happened to it: `key-created`, `member-removed`. */
  action: z.string(),
  actor: z.string(),
  actorEmail: z.string().nullable(),
  workspace: z.string().nullable(),
  target: z.string().nullable(),
  details: z.record(z.string(), z.unknown()),
  address: z.string().nullable(),
});
export type AuditEntry = z.infer<typeof auditEntry>;

/** What hangs on a member and ends, or is decided about, when they go. */
const departure = z.object({
  /** Open ones, into this workspace. */
  invitations: z.number(),
  /** Reset links for people of this workspace. */
  links: z.number(),
  /** Active ones of this workspace. */
  keys: z.array(z.object({ id, name: z.string(), hint: z.string(), lastUsedAt: moment.nullable() })),
});
export type Departure = z.infer<typeof departure>;

/** Needed when there are keys: they may run in production, so there is no default. `transfer` leaves them working, as those of whoever
 *  removes the person, or of the workspace's first owner when somebody leaves. */
const keysChoice = z.enum(["end", "transfer"]);
export type KeysChoice = z.infer<typeof keysChoice>;
const departureQuery = z.object({ keys: keysChoice.optional() });

const memberParams = workspaceParams.extend({ userId: id });
const invitationParams = workspaceParams.extend({ invitationId: id });

export const resetLink = z.object({ url: z.string(), expiresAt: moment });

export const workspaceRoutes = {
  createWorkspace: {
    method: "POST",
    path: "/workspaces",
    access: "session",
    body: z.object({ name: workspaceName }),
    reply: workspace,
  },
  getWorkspace: {
    method: "GET",
    path: "/workspaces/:workspaceId",
    access: "member",
    params: workspaceParams,
    reply: workspace,
  },
  renameWorkspace: {
    method: "PATCH",
    path: "/workspaces/:workspaceId",
    access: "owner",
    params: workspaceParams,
    body: z.object({ name: workspaceName }),
    reply: workspace,
  },
  leaveWorkspace: {
    method: "POST",
    path: "/workspaces/:workspaceId/leave",
    access: "member",
    params: workspaceParams,
    query: departureQuery,
    reply: nothing,
  },
  listMembers: {
    method: "GET",
    path: "/workspaces/:workspaceId/members",
    access: "member",
    params: workspaceParams,
    reply: z.object({ members: z.array(member) }),
  },
  /** Admins manage members and admins; only owners make or change owners. */
  changeRole: {
    method: "PATCH",
    path: "/workspaces/:workspaceId/members/:userId",
    access: "admin",
    params: memberParams,
    body: z.object({ role }),
    reply: member,
  },
  /** What would go with a member: members ask for themselves, admins for everybody. */
  getDeparture: {
    method: "GET",
    path: "/workspaces/:workspaceId/members/:userId/departure",
    access: "member",
    params: memberParams,
    reply: departure,
  },
  removeMember: {
    method: "DELETE",
    path: "/workspaces/:workspaceId/members/:userId",
    access: "admin",
    params: memberParams,
    query: departureQuery,
    reply: nothing,
  },
  /** Refused (403) for somebody who also belongs to a workspace that the caller does not manage: the installation's owner can. */
  createResetLink: {
    method: "POST",
    path: "/workspaces/:workspaceId/members/:userId/reset-link",
    access: "admin",
    params: memberParams,
    body: z.object({ removesSecondFactor: z.boolean().default(false) }),
    reply: resetLink,
  },
  listInvitations: {
    method: "GET",
    path: "/workspaces/:workspaceId/invitations",
    access: "admin",
    params: workspaceParams,
    reply: z.object({ invitations: z.array(invitation) }),
  },
  createInvitation: {
    method: "POST",
    path: "/workspaces/:workspaceId/invitations",
    access: "admin",
    params: workspaceParams,
    body: z.object({ email: emailAddress, role, expiresInDays: z.int().min(1).max(30).default(7) }),
    reply: invitationLink,
  },
  /** A new link with a new term; the old link ends. */
  resendInvitation: {
    method: "POST",
    path: "/workspaces/:workspaceId/invitations/:invitationId/resend",
    access: "admin",
    params: invitationParams,
    reply: invitationLink,
  },
  revokeInvitation: {
    method: "DELETE",
    path: "/workspaces/:workspaceId/invitations/:invitationId",
    access: "admin",
    params: invitationParams,
    reply: nothing,
  },
  listAudit: {
    method: "GET",
    path: "/workspaces/:workspaceId/audit",
    access: "owner",
    params: workspaceParams,
    query: z.object(pageQuery),
    reply: z.object({ entries: z.array(auditEntry), nextCursor }),
  },
} as const satisfies Record<string, RouteContract>;
