import { z } from "zod";
import { emailAddress, id, label, linkToken, moment, newPassword, password, role, secondFactorCode } from "./fields.ts";
import { nothing, type RouteContract } from "./route.ts";

const user = z.object({
  id,
  name: z.string(),
  email: z.string(),
  hasSecondFactor: z.boolean(),
  isInstallationOwner: z.boolean(),
});
export type User = z.infer<typeof user>;

const membership = z.object({ id, name: z.string(), role });
export type Membership = z.infer<typeof membership>;

/** What a page needs before it can show anything. */
const start = z.object({
  /** False until the owner's account exists: then only the set-up link helps. */
  isSetUp: z.boolean(),
  user: user.nullable(),
  workspaces: z.array(membership),
  installation: z.object({
    version: z.string(),
    publicUrl: z.string(),
    /** Services that this process serves, with the base address for clients. */
    services: z.array(
      z.object({ name: z.enum(["voice", "gateway", "extraction"]), title: z.string(), baseUrl: z.string() }),
    ),
  }),
});
export type Start = z.infer<typeof start>;

const session = z.object({
  id,
  createdAt: moment,
  lastSeenAt: moment,
  expiresAt: moment,
  address: z.string(),
  /** As the browser calls itself. */
  userAgent: z.string(),
  isCurrent: z.boolean(),
});
export type Session = z.infer<typeof session>;

const recoveryCodes = z.object({ recoveryCodes: z.array(z.string()) });

export const sessionRoutes = {
  getStart: { method: "GET", path: "/session", access: "public", reply: start },
  /** With a second factor, the first answer is `second_factor_required`; the same again with `code` signs in. */
  signIn: {
    method: "POST",
    path: "/session",
    access: "public",
    body: z.object({ email: emailAddress, password, code: secondFactorCode.optional() }),
    reply: z.object({ status: z.enum(["signed_in", "second_factor_required"]) }),
  },
  signOut: { method: "DELETE", path: "/session", access: "session", reply: nothing },
  listSessions: {
    method: "GET",
    path: "/sessions",
    access: "session",
    reply: z.object({ sessions: z.array(session) }),
  },
  revokeSession: {
    method: "DELETE",
    path: "/sessions/:sessionId",
    access: "session",
    params: z.object({ sessionId: id }),
    reply: nothing,
  },
  revokeOtherSessions: {
    method: "DELETE",
    path: "/sessions",
    access: "session",
    reply: z.object({ revoked: z.number() }),
  },
  updateProfile: {
    method: "PATCH",
    path: "/profile",
    access: "session",
    body: z.object({ name: label(80) }),
    reply: user,
  },
  /** Signs every other session out. */
  changePassword: {
    method: "PUT",
    path: "/password",
    access: "session",
    body: z.object({ current: password, next: newPassword }),
    reply: nothing,
  },
  /** `uri` is for a QR code (otpauth://). Nothing is asked for at sign-in until the first code was confirmed. */
  beginSecondFactor: {
    method: "POST",
    path: "/second-factor",
    access: "session",
    body: z.object({ password }),
    reply: z.object({ secret: z.string(), uri: z.string() }),
  },
  confirmSecondFactor: {
    method: "PUT",
    path: "/second-factor",
    access: "session",
    body: z.object({ code: secondFactorCode }),
    reply: recoveryCodes,
  },
  removeSecondFactor: {
    method: "POST",
    path: "/second-factor/remove",
    access: "session",
    body: z.object({ password, code: secondFactorCode }),
    reply: nothing,
  },
  renewRecoveryCodes: {
    method: "POST",
    path: "/second-factor/recovery-codes",
    access: "session",
    body: z.object({ password, code: secondFactorCode }),
    reply: recoveryCodes,
  },
  /** The pages of the three kinds of links ask what the link is good for before they show a form: `/setup#TOKEN`, `/invite#TOKEN`,
   *  `/reset#TOKEN`. Tokens travel in the fragment and in bodies, never in a path that a log might keep. */
  checkSetupLink: {
    method: "POST",
    path: "/setup/check",
    access: "public",
    body: z.object({ token: linkToken }),
    reply: z.object({ expiresAt: moment }),
  },
  setUp: {
    method: "POST",
    path: "/setup",
    access: "public",
    body: z.object({ token: linkToken, name: label(80), email: emailAddress, password: newPassword }),
    reply: nothing,
  },
  checkInvitation: {
    method: "POST",
    path: "/invitations/check",
    access: "public",
    body: z.object({ token: linkToken }),
    reply: z.object({
      workspace: z.string(),
      role,
      email: z.string(),
      invitedBy: z.string(),
      expiresAt: moment,
      /** Then the person signs in and accepts without name and password. */
      hasAccount: z.boolean(),
    }),
  },
  /** Signed in with the invited address: no name and password. Not signed in: both, and the account is made and signed in. */
  acceptInvitation: {
    method: "POST",
    path: "/invitations/accept",
    access: "public",
    body: z.object({ token: linkToken, name: label(80).optional(), password: newPassword.optional() }),
    reply: z.object({ workspaceId: id }),
  },
  checkResetLink: {
    method: "POST",
    path: "/reset/check",
    access: "public",
    body: z.object({ token: linkToken }),
    reply: z.object({ email: z.string(), expiresAt: moment }),
  },
  /** Signs every session of the account out; the person signs in with the new password. */
  resetPassword: {
    method: "POST",
    path: "/reset",
    access: "public",
    body: z.object({ token: linkToken, password: newPassword }),
    reply: nothing,
  },
} as const satisfies Record<string, RouteContract>;
