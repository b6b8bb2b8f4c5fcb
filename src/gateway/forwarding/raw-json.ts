import { Problem } from "../../platform/errors.ts";
import type { HttpApp } from "../../platform/http/create-server.ts";
import { checkJsonShape } from "../../platform/http/json-shape.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** The body as it came, for requests that go on to an upstream. */
    rawBody: Buffer;
  }
}

/** Parses JSON once and keeps its bytes: what goes upstream is what the caller wrote, not what we made of it. */
export function keepRawJson(app: HttpApp): void {
  app.decorateRequest("rawBody", null as unknown as Buffer);
  app.removeContentTypeParser("application/json");
  app.addContentTypeParser("application/json", { parseAs: "buffer" }, (request, given, done) => {
    const bytes = given as Buffer;
    request.rawBody = bytes;
    if (bytes.length === 0) {
      done(new Problem("invalid_request", "The body is empty. Send a JSON object."));
      return;
    }
    try {
      done(null, parseRaw(bytes));
    } catch (cause) {
      if (cause instanceof Problem) return done(cause);
      done(new Problem("invalid_request", "The body is not valid JSON.", { cause }));
    }
  });
}

/** Throws a SyntaxError, or a Problem for what would take too long. */
export function parseRaw(bytes: Buffer): unknown {
  checkJsonShape(bytes);
  const text = bytes.toString("utf8");
  // A key of this name would reach into every object of ours that copies it.
  if (text.includes('"__proto__"') && /"__proto__"\s*:/.test(text)) throw new SyntaxError("__proto__");
  return JSON.parse(text);
}
