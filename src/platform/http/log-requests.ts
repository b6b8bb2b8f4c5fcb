import type { FastifyRequest } from "fastify";
import { type PlatformLog, withoutSecrets } from "../log.ts";
import { afterReply } from "./after-reply.ts";
import type { HttpApp } from "./create-server.ts";

/** One line per request: which route, how it went, how long it took. The route's pattern is logged, not the address, so that
 *  no token or id in a URL reaches the log. */
export function logRequests(app: HttpApp, log: PlatformLog): void {
  afterReply(app, (request, status) => {
    const route = request.routeConfig.url ?? "unknown";
    if (!log.isTold("info") || route === "/healthz" || route === "/readyz" || route === "/metrics") return;
    log.info(
      {
        requestId: request.id,
        method: request.method,
        route,
        // Nothing has this address, so nothing secret can be meant to stand in it.
        ...(request.routeConfig.url === undefined ? { path: pathOf(request) } : {}),
        status,
        durationMs: Math.round(performance.now() - request.receivedAtMs),
        ...(request.caller ? { key: request.caller.keyId } : {}),
      },
      "request",
    );
  });
}

const longestPath = 200;

function pathOf({ url }: FastifyRequest): string {
  return withoutSecrets(url).split("?")[0]!.slice(0, longestPath);
}
