import { decodeUtf8 } from "../../platform/decode-utf8.ts";
import { Problem } from "../../platform/errors.ts";
import type { HttpApp } from "../../platform/http/create-server.ts";
import { checkJsonShape } from "../../platform/http/json-shape.ts";
import { readJsonBody } from "../../platform/http/read-json.ts";

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
    readJsonBody(request, bytes, parseText, (error, body) => {
      if (!error || error instanceof Problem) return done(error, body);
      done(new Problem("invalid_request", "The body is not valid JSON.", { cause: error }));
    });
  });
}

/** Throws a SyntaxError, or a Problem for what would take too long. */
export function parseRaw(bytes: Buffer): unknown {
  checkJsonShape(bytes);
  return parseText(decodeUtf8(bytes));
}

function parseText(text: string): unknown {
  // A key of this name would reach into every object of ours that copies it.
  if (text.includes('"__proto__"') && /"__proto__"\s*:/.test(text)) throw new SyntaxError("__proto__");
  return JSON.parse(text);
}
