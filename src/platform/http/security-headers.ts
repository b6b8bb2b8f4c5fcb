import type { FastifyReply } from "fastify";
import type { HttpApp } from "./http-app.ts";

/** What every reply says to browsers. */
const always = {
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  "referrer-policy": "no-referrer",
  "cross-origin-resource-policy": "cross-origin",
};

/** Pages may run and load nothing that is not ours. */
const pagePolicy =
  "default-src 'self'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; object-src 'none'; base-uri 'self'; frame-ancestors 'none'; form-action 'self'";

export function sendPage(reply: FastifyReply, html: string): FastifyReply {
  return reply.type("text/html; charset=utf-8").header("content-security-policy", pagePolicy).send(html);
}

const exposed = [
  "X-Request-Id",
  "Retry-After",
  "X-RateLimit-Limit",
  "X-RateLimit-Remaining",
  "X-RateLimit-Reset",
  "X-Svc-Duration-Ms",
  "X-Svc-Sample-Rate",
  "X-Extraction-Id",
  "X-Extraction-Confidence",
  "Content-Disposition",
].join(", ");

/** Security headers on every reply and CORS for web pages that call the APIs. Written out here because these run for every
 *  request: the usual plugins put their headers together anew each time, which cost as much as the rest of the chain. */
export function addSecurityHeaders(app: HttpApp, corsOrigins: string): void {
  const isOpen = corsOrigins === "*";
  const origins = new Set(corsOrigins.split(",").map((origin) => origin.trim()));

  function allowOrigin(reply: FastifyReply, origin: string | undefined): void {
    if (!origin || !(isOpen || origins.has(origin))) return;
    reply.header("access-control-allow-origin", isOpen ? "*" : origin);
    reply.header("access-control-expose-headers", exposed);
    if (!isOpen) reply.header("vary", "Origin");
  }

  app.addHook("onRequest", async (request, reply) => {
    reply.headers(always);
    allowOrigin(reply, request.headers.origin);
  });
  app.addHook("onSend", async (_request, reply, payload) => {
    if (String(reply.getHeader("content-type")).startsWith("text/html"))
      reply.header("content-security-policy", pagePolicy);
    return payload;
  });
  app.options("/*", { config: { scope: "open" } }, async (request, reply) => {
    reply.header("access-control-allow-methods", "GET, HEAD, POST, PUT, PATCH, DELETE");
    reply.header("access-control-allow-headers", request.headers["access-control-request-headers"] ?? "*");
    reply.header("access-control-max-age", "600");
    reply.code(204);
  });
}
