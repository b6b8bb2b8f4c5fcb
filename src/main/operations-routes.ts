import { createHash, timingSafeEqual } from "node:crypto";
import { createServer } from "node:http";
import type { FastifyRequest } from "fastify";
import { readBearer } from "../accounts/http/guard.ts";
import type { HttpApp } from "../platform/http/create-server.ts";
import { isFromHere } from "../platform/http/from-here.ts";
import type { Settings } from "../platform/settings/settings.ts";
import { explainPort } from "./listen.ts";
import type { Operations } from "./operations.ts";

/** `/healthz` is for everybody. The others say how the inside looks: they are for this machine and for a token. */
export function addOperationsRoutes(app: HttpApp, operations: Operations, { metricsToken }: Settings["server"]): void {
  for (const [path, answer] of Object.entries(operations)) {
    app.get(path, { config: { scope: "open" } }, async (request, reply) => {
      if (path !== "/healthz" && !isFromHere(request.raw) && !hasToken(request, metricsToken)) {
        const message = `${path} is for callers on the server's own machine, for SVC_METRICS_PORT, and for the token in SVC_METRICS_TOKEN.`;
        return reply.code(401).send({ error: { message, type: "unauthorized", param: null, code: 401 } });
      }
      const { status, type, body } = await answer();
      return reply.code(status).type(type).send(body);
    });
  }
}

/** The same on a port of its own, for probes and Prometheus inside the network. Returns how to close it. */
export async function listenForOperators(
  operations: Operations,
  { host, metricsPort }: Settings["server"],
): Promise<() => Promise<void>> {
  if (metricsPort === 0) return async () => {};
  const server = createServer(async (request, response) => {
    const path = request.url?.split("?")[0] ?? "";
    const isKnown = Object.hasOwn(operations, path) && (request.method === "GET" || request.method === "HEAD");
    const nothing = { status: 404, type: "text/plain", body: `Here are ${Object.keys(operations).join(", ")}.\n` };
    const failed = { status: 500, type: "text/plain", body: "This cannot be told now.\n" };
    const answer = isKnown ? await operations[path as keyof Operations]().catch(() => failed) : nothing;
    response.writeHead(answer.status, { "content-type": answer.type }).end(answer.body);
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", (error) => reject(explainPort(error, metricsPort, "SVC_METRICS_PORT", host)));
    server.listen(metricsPort, host, resolve);
  });
  return async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
}

function hasToken(request: FastifyRequest, token: string | undefined): boolean {
  const given = readBearer(request);
  const digest = (text: string) => createHash("sha256").update(text).digest();
  return token !== undefined && given !== undefined && timingSafeEqual(digest(given), digest(token));
}
