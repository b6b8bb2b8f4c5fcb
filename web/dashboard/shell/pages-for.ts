import { useCurrentMembership, useStart } from "../api/use-session.ts";
import { accountPages, adminPages, type PageEntry, workspacePages } from "../pages/registry.ts";

export interface ReachablePage extends PageEntry {
  to: string;
}

/** The pages that this person may open, with their addresses. */
export function useReachablePages(): ReachablePage[] {
  const { user } = useStart();
  const here = useCurrentMembership();
  const ranks = ["member", "admin", "owner"];
  const inWorkspace = here
    ? workspacePages
        .filter(({ access }) => ranks.indexOf(access) <= ranks.indexOf(here.role))
        .map((page) => ({ ...page, to: `/w/${here.id}${page.path === "/" ? "" : page.path}` }))
    : [];
  const others = [...accountPages, ...(user?.isInstallationOwner ? adminPages : [])].map((page) => ({
    ...page,
    to: page.path,
  }));
  return [...inWorkspace, ...others];
}
