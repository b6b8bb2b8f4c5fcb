import type { HttpApp } from "../../platform/http/create-server.ts";
import { newId } from "../../platform/ids.ts";
import type { UsageDetails } from "../usage/record.ts";
import type { UsageWriter } from "../usage/usage-writer.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** What a route adds to the usage record of its request. */
    usage: UsageDetails;
  }
}

// Unguessable is not needed here, only unique, and this runs for every request.
const processPart = newId("use_", 12);
let sequence = 0;

// Requests that end in the same millisecond share the text of it.
let textOf = { ms: 0, text: "" };
function timestamp(): string {
  const ms = Date.now();
  if (textOf.ms !== ms) textOf = { ms, text: new Date(ms).toISOString() };
  return textOf.text;
}

/** Writes one usage record for each request of a known key, after its reply has left. */
export function keepBooks(app: HttpApp, service: string, writer: UsageWriter): void {
  app.decorateRequest("usage", null as unknown as UsageDetails);
  app.addHook("onRequest", (request, _reply, done) => {
    request.usage = {};
    done();
  });
  app.addHook("onResponse", (request, reply, done) => {
    const { caller, usage } = request;
    if (!caller) return done();
    writer.write({
      id: `${processPart}${(sequence++).toString(36)}`,
      at: timestamp(),
      workspaceId: caller.workspace.id,
      keyId: caller.keyId,
      service,
      route: `${request.method} ${request.routeConfig.url}`,
      // A caller who hung up before the reply was complete is on record as such.
      status: reply.raw.writableFinished ? reply.statusCode : 499,
      durationMs: Math.round(performance.now() - request.receivedAtMs),
      ...usage,
    });
    done();
  });
}
