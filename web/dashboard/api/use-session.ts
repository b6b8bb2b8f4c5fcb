import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import type { Role } from "../../../src/dashboard/contract/fields.ts";
import { lastWorkspace } from "../lib/last-workspace.ts";
import { call } from "./client.ts";

/** Who is here, and where: what every page needs before it can show anything. */
export const startQuery = { queryKey: ["getStart"], queryFn: () => call("getStart"), staleTime: 60_000 } as const;

export function useStart() {
  const { data } = useQuery(startQuery);
  if (!data) throw new Error("The start is loaded before any page.");
  return data;
}

export function useUser() {
  const { user } = useStart();
  if (!user) throw new Error("This page is for people who signed in.");
  return user;
}

const ranks: Record<Role, number> = { member: 0, admin: 1, owner: 2 };

/** The workspace that links lead to: that of the address, else that of the last visit, else the first. */
export function useCurrentMembership() {
  const { workspaceId } = useWorkspace();
  const { workspaces } = useStart();
  return (
    [workspaceId, lastWorkspace.get()].map((wanted) => workspaces.find(({ id }) => id === wanted)).find(Boolean) ??
    workspaces[0]
  );
}

/** The workspace in the address, and whether its person has at least this role there. */
export function useWorkspace() {
  const { workspaceId = "" } = useParams({ strict: false }) as { workspaceId?: string };
  const { workspaces } = useStart();
  const membership = workspaces.find(({ id }) => id === workspaceId);
  const role: Role = membership?.role ?? "member";
  return {
    workspaceId,
    params: { workspaceId },
    name: membership?.name ?? "",
    role,
    isAtLeast: (wanted: Role) => ranks[role] >= ranks[wanted],
  };
}
