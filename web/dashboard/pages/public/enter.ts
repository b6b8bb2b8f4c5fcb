import { queryClient } from "../../api/use-api.ts";
import { startQuery } from "../../api/use-session.ts";
import { homeOf, router } from "../../router.tsx";

/** Goes on after somebody signed in: to where they wanted to go within these pages, or home. */
export async function enter(next?: string): Promise<void> {
  queryClient.clear();
  const { workspaces } = await queryClient.fetchQuery(startQuery);
  await router.navigate({ href: isWithin(next) ? next : homeOf(workspaces) } as never);
}

/** Only a path of this site: `//elsewhere` and `/\elsewhere` are addresses of others. */
export function isWithin(next: string | undefined): next is string {
  return next !== undefined && /^\/(?![/\\])/.test(next) && new URL(next, location.origin).origin === location.origin;
}
