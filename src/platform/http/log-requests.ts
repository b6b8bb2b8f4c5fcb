import type { PlatformLog } from "../log.ts";
import { afterReply } from "./after-reply.ts";
import type { HttpApp } from "./create-server.ts";

/** One line per request: which route, how it went, how long it took. The route's pattern is logged, not the address, so that
 *  no token or id in a URL reaches the log. */
export function logRequests(app: HttpApp, log: PlatformLog): void {
  afterReply(app, (request, reply) => {
    const route = request.routeConfig.url ?? "unknown";
    if (!log.isTold("info") || route === "/healthz" || route === "/readyz" || route === "/metrics") return;
    log.info(
      {
        requestId: request.id,
        method: request.method,
        route,
        status: reply.statusCode,
        durationMs: Math.round(performance.now() - request.receivedAtMs),
        ...((request as { caller?: { keyId: string } }).caller
          ? { key: (request as unknown as { caller: { keyId: string } }).caller.keyId }
          : {}),
      },
      "request",
    );
  });
}
