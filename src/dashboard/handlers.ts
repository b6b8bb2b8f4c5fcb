import { adminHandlers } from "./admin/handlers.ts";
import { catalogHandlers } from "./catalog/handlers.ts";
import type { Handlers } from "./context.ts";
import { creditHandlers } from "./credits/handlers.ts";
import { keyHandlers } from "./keys/handlers.ts";
import type { DashboardParts } from "./parts.ts";
import { invitationHandlers } from "./people/invitations.ts";
import { memberHandlers } from "./people/members.ts";
import { workspaceHandlers } from "./people/workspaces.ts";
import type { SessionCookie } from "./sign-in/cookie.ts";
import { createEntry } from "./sign-in/entry.ts";
import { linkHandlers } from "./sign-in/link-handlers.ts";
import { secondFactorHandlers } from "./sign-in/second-factor.ts";
import { sessionHandlers } from "./sign-in/session-handlers.ts";
import type { SessionStore } from "./sign-in/sessions.ts";
import { usageHandlers } from "./usage/handlers.ts";

export function createHandlers(
  parts: DashboardParts,
  sessions: SessionStore,
  cookie: SessionCookie,
  /** What must end before the server does: open streams would hold it up. */
  onClose: (close: () => void) => void,
): Handlers {
  const entry = createEntry(parts, sessions, cookie);
  return {
    ...sessionHandlers(parts, entry),
    ...secondFactorHandlers(parts, entry),
    ...linkHandlers(parts, entry),
    ...workspaceHandlers(parts),
    ...memberHandlers(parts, sessions),
    ...invitationHandlers(parts),
    ...keyHandlers(parts),
    ...usageHandlers(parts, onClose),
    ...creditHandlers(parts),
    ...catalogHandlers(parts),
    ...adminHandlers(parts),
  };
}
