import type { FastifyReply } from "fastify";
import type { Recorder } from "./copy-reply.ts";
import type { EndpointDescriptor } from "./endpoint.ts";
import type { ForwardedRequest, Gateway } from "./gateway.ts";
import type { Outlet } from "./outlet.ts";

/** One request on its way to an upstream and back. */
export interface RequestContext<Wanted extends { model: string }> {
  readonly gateway: Gateway;
  readonly endpoint: EndpointDescriptor<Wanted>;
  readonly request: ForwardedRequest<Wanted>;
  readonly reply: FastifyReply;
  readonly outlet: Outlet;
  /** Its Idempotency-Key brings the caller back to the reply. */
  readonly recorder: Recorder | undefined;
  /** What tells upstreams to which trace it belongs. */
  readonly trace: Readonly<Record<string, string>>;
}
