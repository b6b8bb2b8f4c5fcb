import type { HttpApp } from "../create-server.ts";
import { sendPage } from "../security-headers.ts";
import { assemble, type DescribedRoute } from "./assemble.ts";
import type { OpenApi } from "./document.ts";
import type { ApiReference } from "./reference.ts";
import { renderReferencePage } from "./reference-page.ts";

export interface ApiDescription {
  title: string;
  description: string;
  baseUrl: string;
  /** How a key is sent. */
  security: { bearer: true } | { header: string };
  reference: ApiReference;
}

/** Describes the routes added after it, at `/openapi.json` and as a page at `/docs` of the service's base address.
 *  Nothing is worked out before somebody asks, so that it costs a start nothing. */
export function describeApi(app: HttpApp, api: ApiDescription, prefixes: { base: string }): void {
  const routes: DescribedRoute[] = [];
  app.addHook("onRoute", (route) => void routes.push(route as unknown as DescribedRoute));
  let made: OpenApi | undefined;
  const open = { config: { scope: "open" }, schema: { hide: true } as object };
  app.get("/openapi.json", open, async () => {
    made ??= assemble(api, routes, prefixes.base);
    return made;
  });
  for (const path of ["/docs", "/docs/"]) {
    app.get(path, open, async (_request, reply) => sendPage(reply, renderReferencePage(api.title)));
  }
}
