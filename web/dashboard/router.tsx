import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  redirect,
} from "@tanstack/react-router";
import { queryClient } from "./api/use-api.ts";
import { startQuery } from "./api/use-session.ts";
import { lastWorkspace } from "./lib/last-workspace.ts";
import { accountPages, adminPages, type PageEntry, workspacePages } from "./pages/registry.ts";
import { AppShell } from "./shell/app-shell.tsx";
import { LoadingPage, NotFoundPage, RouteErrorPage } from "./shell/fallback-pages.tsx";

const root = createRootRoute({
  component: Outlet,
  beforeLoad: () => queryClient.ensureQueryData(startQuery),
  notFoundComponent: NotFoundPage,
});

const publicPage = (path: string, load: () => Promise<{ default: React.ComponentType }>) =>
  createRoute({ getParentRoute: () => root, path, component: lazyRouteComponent(load) });

const landing = createRoute({
  getParentRoute: () => root,
  path: "/",
  component: lazyRouteComponent(() => import("./pages/public/landing-page.tsx")),
  async beforeLoad() {
    const { user, workspaces } = await queryClient.ensureQueryData(startQuery);
    if (user) throw redirect({ to: homeOf(workspaces) });
  },
});

/** Everything behind the sign-in page, which leads back to where somebody wanted to go. */
const signedIn = createRoute({
  getParentRoute: () => root,
  id: "signed-in",
  component: AppShell,
  async beforeLoad({ location }) {
    const { user } = await queryClient.ensureQueryData(startQuery);
    if (!user) throw redirect({ to: "/sign-in", search: { next: location.href } as never });
  },
});

const workspace = createRoute({
  getParentRoute: () => signedIn,
  path: "/w/$workspaceId",
  component: Outlet,
  async beforeLoad({ params }) {
    const { workspaces } = await queryClient.ensureQueryData(startQuery);
    // An address of a workspace that one left, or was never in.
    if (!workspaces.some(({ id }) => id === params.workspaceId)) throw redirect({ to: homeOf(workspaces) });
    lastWorkspace.set(params.workspaceId);
  },
});

const below = (parent: typeof workspace | typeof signedIn) => (page: PageEntry) =>
  createRoute({
    getParentRoute: () => parent as typeof signedIn,
    path: page.path,
    component: lazyRouteComponent(page.load),
    async beforeLoad() {
      const { user } = await queryClient.ensureQueryData(startQuery);
      if (page.access === "installation" && !user?.isInstallationOwner) throw redirect({ to: "/account" });
    },
  });

/** Where somebody lands: the workspace of the last visit, or the account of a person without any. */
export function homeOf(workspaces: readonly { id: string }[]): string {
  const known = workspaces.find(({ id }) => id === lastWorkspace.get()) ?? workspaces[0];
  return known ? `/w/${known.id}` : "/account";
}

const tree = root.addChildren([
  landing,
  publicPage("/sign-in", () => import("./pages/public/sign-in-page.tsx")),
  publicPage("/setup", () => import("./pages/public/setup-page.tsx")),
  publicPage("/invite", () => import("./pages/public/invite-page.tsx")),
  publicPage("/reset", () => import("./pages/public/reset-page.tsx")),
  signedIn.addChildren([
    workspace.addChildren(workspacePages.map(below(workspace))),
    ...[...accountPages, ...adminPages].map(below(signedIn)),
  ]),
]);

export const router = createRouter({
  routeTree: tree,
  defaultPreload: "intent",
  defaultPendingComponent: LoadingPage,
  defaultErrorComponent: RouteErrorPage,
  scrollRestoration: true,
});
