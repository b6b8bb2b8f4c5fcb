import type { ServerResponse } from "node:http";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { HttpApp } from "./http-app.ts";

/** What is known of a request when its reply is over. */
export type RepliedRequest = Pick<
  FastifyRequest,
  "id" | "method" | "headers" | "routeConfig" | "receivedAtMs" | "caller" | "usage"
>;

/** `status` is 499 when the caller hung up before the reply was complete, 502 when the server broke it off. */
export type AfterReply = (request: RepliedRequest, status: number) => void;

declare module "fastify" {
  interface FastifyInstance {
    /** What is to be done after each reply of this scope. */
    afterReply: readonly AfterReply[];
  }
}

/** Calls `tell` after each reply of `app` and the scopes within it, however it went. */
export function afterReply(app: HttpApp, tell: AfterReply): void {
  // A list of its own: a scope inherits what stands around it and adds nothing there.
  app.afterReply = [...app.afterReply, tell];
}

export interface OverReply {
  readonly statusCode: number;
  readonly raw: { readonly writableFinished: boolean; readonly isBrokenOff?: boolean };
}

/** As nginx logs it: https://nginx.org/en/docs/dev/development_guide.html#http_return_codes */
const CALLER_HUNG_UP = 499;
/** What it would have been had it failed before its first byte: most often an engine or an upstream has ended. */
const BROKEN_OFF = 502;

export function tellReplied(tells: readonly AfterReply[], request: RepliedRequest, reply: OverReply): void {
  const unfinished = reply.raw.isBrokenOff ? BROKEN_OFF : CALLER_HUNG_UP;
  const status = reply.raw.writableFinished ? reply.statusCode : unfinished;
  for (const tell of tells) tell(request, status);
}

/** Waits for the end of a reply. Fastify's own `onResponse` does not hear of callers who hang up in the middle. */
export function watchReply(request: FastifyRequest, reply: FastifyReply): void {
  const raw: ServerResponse & { isBrokenOff?: boolean } = reply.raw;
  const { destroy } = raw;
  // Callers who hang up close the connection; nobody but the server destroys its own reply.
  raw.destroy = function (error) {
    if (raw.headersSent && !raw.destroyed) raw.isBrokenOff = true;
    return destroy.call(this, error);
  };
  raw.once("close", () => {
    // The reply of a WebSocket never begins; its slice keeps the books when the socket ends.
    if (request.ws && !reply.raw.headersSent) return;
    tellReplied(request.server.afterReply, request, reply);
  });
}
