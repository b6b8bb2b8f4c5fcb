import type { FastifyReply, FastifyRequest } from "fastify";
import type { HttpApp } from "./http-app.ts";

/** Pages may run and load nothing that is not ours. On replies of an API these would say nothing and be half of a short one. */
const forPages = {
  "content-security-policy":
    "default-src 'self'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; object-src 'none'; base-uri 'self'; frame-ancestors 'none'; form-action 'self'",
  "x-frame-options": "DENY",
  "referrer-policy": "no-referrer",
};

export function sendPage(reply: FastifyReply, html: string): FastifyReply {
  return reply.type("text/html; charset=utf-8").headers(forPages).send(html);
}

const exposed = [
  "X-Request-Id",
  "Retry-After",
  "X-RateLimit-Limit",
  "X-RateLimit-Remaining",
  "X-RateLimit-Reset",
  "X-Svc-Duration-Ms",
  "X-Svc-Sample-Rate",
  "X-Svc-Cost-Usd",
  "X-Svc-Generation-Id",
  "X-Svc-Served-By",
  "X-Svc-Attempts",
  "X-Svc-Max-Tokens",
  "X-Svc-Cache",
  "Age",
  "Idempotent-Replayed",
  "X-Extraction-Id",
  "X-Extraction-Confidence",
  "Content-Disposition",
].join(", ");

/** Security headers on every reply and CORS for web pages that call the APIs. Written out here because these run for every
 *  request: the usual plugins put their headers together anew each time, which cost as much as the rest of the chain. */
export function createHeaderWriter(corsOrigins: string): (request: FastifyRequest, reply: FastifyReply) => void {
  const isOpen = corsOrigins === "*";
  const origins = new Set(corsOrigins.split(",").map((origin) => origin.trim()));
  return (request, reply) => {
    reply.header("x-content-type-options", "nosniff");
    const { origin } = request.headers;
    if (!origin || !(isOpen || origins.has(origin))) return;
    reply.header("access-control-allow-origin", isOpen ? "*" : origin);
    reply.header("access-control-expose-headers", exposed);
    if (!isOpen) reply.header("vary", "Origin");
  };
}

export function answerPreflights(app: HttpApp): void {
  app.options("/*", { config: { scope: "open" } }, async (request, reply) => {
    reply.header("access-control-allow-methods", "GET, HEAD, POST, PUT, PATCH, DELETE");
    reply.header("access-control-allow-headers", request.headers["access-control-request-headers"] ?? "*");
    reply.header("access-control-max-age", "600");
    reply.code(204);
  });
}
