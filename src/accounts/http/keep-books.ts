import { bookReplies } from "../../platform/http/after-reply.ts";
import type { HttpApp } from "../../platform/http/create-server.ts";
import type { UsageDetails } from "../usage/record.ts";
import type { UsageWriter } from "../usage/usage-writer.ts";

/** Writes one usage record for each request of a known key, before the last of its reply leaves. */
export function keepBooks(app: HttpApp, service: string, writer: UsageWriter): void {
  app.decorateRequest("usage", null as unknown as UsageDetails);
  app.addHook("onRequest", (request, _reply, done) => {
    request.usage = {};
    done();
  });
  bookReplies(app, {
    book(request, status) {
      const { caller, usage } = request;
      if (!caller) return;
      writer.write({
        at: Date.now(),
        workspaceId: caller.workspace.id,
        keyId: caller.keyId,
        service,
        route: `${request.method} ${request.routeConfig.url}`,
        status,
        durationMs: Math.round(performance.now() - request.receivedAtMs),
        ...usage,
      });
    },
    sync: () => writer.sync(),
  });
}
