import type { FastifyRequest } from "fastify";
import type { HttpApp } from "./http-app.ts";

/** What is known of a request when its reply is over. */
export type RepliedRequest = Pick<
  FastifyRequest,
  "id" | "method" | "headers" | "routeConfig" | "receivedAtMs" | "caller" | "usage"
>;

export interface OverReply {
  readonly statusCode: number;
  readonly raw: { readonly writableFinished: boolean };
}

export type AfterReply = (request: RepliedRequest, reply: OverReply) => void;

declare module "fastify" {
  interface FastifyInstance {
    /** What is to be done after each reply of this scope, for those that come by the quick lane. */
    afterReply: readonly AfterReply[];
  }
}

/** Calls `tell` after each reply of `app` and the scopes within it, however it went. */
export function afterReply(app: HttpApp, tell: AfterReply): void {
  // A list of its own: a scope inherits what stands around it and adds nothing there.
  app.afterReply = [...app.afterReply, tell];
  app.addHook("onResponse", (request, reply, done) => {
    tell(request, reply);
    done();
  });
}
