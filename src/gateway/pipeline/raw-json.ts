import { Problem } from "../../platform/errors.ts";
import type { HttpApp } from "../../platform/http/create-server.ts";
import { readJsonBody } from "../../platform/http/read-json.ts";

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

function parseText(text: string): unknown {
  // A key of this name would reach into every object of ours that copies it.
  if (text.includes('"__proto__"') && /"__proto__"\s*:/.test(text)) throw new SyntaxError("__proto__");
  return JSON.parse(text);
}
