import type { FastifyReply, FastifyRequest } from "fastify";
import { Problem } from "../errors.ts";
import type { Log } from "../log.ts";
import { withoutSecrets } from "../log.ts";
import { EdgeLimitError, type HttpApp } from "./create-server.ts";
import { type Dialect, renderProblem } from "./dialect.ts";
import { toProblem } from "./to-problem.ts";

/** Everything thrown in the routes of `app` leaves it in the service's own dialect; so do unknown paths. */
export function speakDialect(app: HttpApp, dialect: Dialect, log: Log): void {
  app.setErrorHandler((error, request, reply) => sendProblem(reply, request, dialect, error, log));
  app.setNotFoundHandler((request, reply) => {
    const path = withoutSecrets(request.url).split("?")[0];
    sendProblem(
      reply,
      request,
      dialect,
      new Problem("not_found", `There is nothing at ${request.method} ${path}.`),
      log,
    );
  });
}

export function sendProblem(
  reply: FastifyReply,
  request: FastifyRequest,
  dialect: Dialect,
  error: unknown,
  log: Log,
): void {
  const problem = toProblem(error);
  const { status, headers, body } = renderProblem(dialect, problem);
  if (status >= 500) {
    const cause = problem.cause instanceof Error ? problem.cause : problem;
    log.error(
      { requestId: request.id, kind: problem.kind, error: cause.message, stack: cause.stack },
      "request failed",
    );
  }
  // The caller has hung up; there is nobody left to tell.
  if (reply.raw.destroyed) return;
  if (error instanceof EdgeLimitError) {
    reply.code(413).type("text/plain; charset=utf-8").send(`${error.message}\n`);
    return;
  }
  reply.code(status).headers(headers).type("application/json; charset=utf-8").send(body);
}

const methods = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const;

/** Watches the routes added from now on; the function it returns then answers 405 with Allow on their paths for every
 *  other method. */
export function refuseOtherMethods(app: HttpApp): () => void {
  const allowed = new Map<string, Set<string>>();
  app.addHook("onRoute", (route) => {
    if (route.config?.isRefusal) return;
    const names = allowed.get(route.url) ?? new Set<string>();
    for (const method of [route.method].flat()) names.add(String(method));
    allowed.set(route.url, names);
  });
  return () => {
    for (const [url, names] of [...allowed]) {
      const allow = [...names].sort();
      for (const method of methods.filter((candidate) => !names.has(candidate))) {
        app.route({
          method,
          url: url.slice(app.prefix.length) || "/",
          config: { scope: "open", isRefusal: true },
          schema: { hide: true } as object,
          // Before the body is read: it is of no interest, and could only fail differently.
          onRequest: async () => {
            throw new Problem("method_not_allowed", `${method} is not allowed here. Allowed: ${allow.join(", ")}.`, {
              allow,
            });
          },
          handler: async () => {},
        });
      }
    }
  };
}

declare module "fastify" {
  interface FastifyContextConfig {
    /** What a key must be allowed to do; `open` needs no key. Every route says one. */
    scope?: string;
    isRefusal?: boolean;
  }
}
