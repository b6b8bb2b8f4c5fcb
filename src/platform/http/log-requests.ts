import type { Log } from "../log.ts";
import type { HttpApp } from "./create-server.ts";

/** One line per request: which route, how it went, how long it took. The route's pattern is logged, not the address, so that
 *  no token or id in a URL reaches the log. */
export function logRequests(app: HttpApp, log: Log): void {
  app.addHook("onResponse", (request, reply, done) => {
    const route = request.routeOptions.url ?? "unknown";
    if (route === "/healthz" || route === "/readyz" || route === "/metrics") return done();
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
    done();
  });
}
