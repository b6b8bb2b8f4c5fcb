import { safePath } from "../../../../src/dashboard/contract/safe-path.ts";
import { queryClient } from "../../api/use-api.ts";
import { startQuery } from "../../api/use-session.ts";
import { homeOf, router } from "../../router.tsx";

/** Goes on after somebody signed in: to where they wanted to go within these pages, or home. */
export async function enter(next?: string): Promise<void> {
  queryClient.clear();
  const { workspaces } = await queryClient.fetchQuery(startQuery);
  const wanted = safePath(next);
  await router.navigate({ href: wanted === "/" ? homeOf(workspaces) : wanted } as never);
}
