import type { ServerResponse } from "node:http";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { HttpApp } from "./http-app.ts";

/** Writes down what a request was: a caller who has its reply has a record of it. */
export interface Bookkeeper {
  book(request: FastifyRequest, status: number): void;
  /** No crash of the process loses what is booked, once this returns. */
  sync(): void;
}

/** `status` is 499 when the caller hung up before the reply was complete, 502 when the server broke it off. */
export type AfterReply = (request: FastifyRequest, status: number) => void;

/** Calls `tell` after each reply of `app` and the scopes within it, however it went. */
export function afterReply(app: HttpApp, tell: AfterReply): void {
  // A list of its own: a scope inherits what stands around it and adds nothing there.
  app.afterReply = [...app.afterReply, tell];
}

/** Has each request of `app` and the scopes within it booked once: before the last of its reply leaves, or when nothing more of it will. */
export function bookReplies(app: HttpApp, keeper: Bookkeeper): void {
  app.bookkeepers = [...app.bookkeepers, keeper];
}

/** Together with those of the same turn of the event loop, when it is known early how the reply will be. */
function bookReply(keepers: readonly Bookkeeper[], request: FastifyRequest, status: number): void {
  if (request.isBooked) return;
  request.isBooked = true;
  for (const keeper of keepers) keeper.book(request, status);
}

/** The last of it leaves when this returns. */
function beforeLeaving(keepers: readonly Bookkeeper[], request: FastifyRequest, status: number): void {
  bookReply(keepers, request, status);
  for (const keeper of keepers) keeper.sync();
}

/** As nginx logs it: https://nginx.org/en/docs/dev/development_guide.html#http_return_codes */
const CALLER_HUNG_UP = 499;
/** What it would have been had it failed before its first byte: most often an engine or an upstream has ended. */
const BROKEN_OFF = 502;

function tellReplied(request: FastifyRequest, reply: FastifyReply): void {
  const { afterReply: tells, bookkeepers } = request.server;
  const { writableFinished, isBrokenOff } = reply.raw as WatchedResponse;
  const unfinished = isBrokenOff ? BROKEN_OFF : CALLER_HUNG_UP;
  const status = writableFinished ? reply.statusCode : unfinished;
  bookReply(bookkeepers, request, status);
  for (const tell of tells) tell(request, status);
}

type WatchedResponse = ServerResponse & { isBrokenOff?: boolean; book?(status: number): void };

/** Waits for the end of a reply. Fastify's own `onResponse` does not hear of callers who hang up in the middle. */
export function watchReply(request: FastifyRequest, reply: FastifyReply): void {
  const raw: WatchedResponse = reply.raw;
  const { destroy } = raw;
  const end = raw.end as (...args: unknown[]) => ServerResponse;
  raw.book = (status) => bookReply(request.server.bookkeepers, request, status);
  raw.end = function (this: ServerResponse, ...args: unknown[]) {
    if (!raw.destroyed && !raw.writableEnded) beforeLeaving(request.server.bookkeepers, request, raw.statusCode);
    return end.apply(this, args);
  };
  // Callers who hang up close the connection; nobody but the server destroys its own reply.
  raw.destroy = function (error) {
    if (raw.headersSent && !raw.destroyed) raw.isBrokenOff = true;
    return destroy.call(this, error);
  };
  raw.once("close", () => {
    // The reply of a WebSocket never begins; its slice keeps the books when the socket ends.
    if (request.ws && !reply.raw.headersSent) return;
    tellReplied(request, reply);
  });
}
