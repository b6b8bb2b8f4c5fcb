import type { ServerResponse } from "node:http";
import type { FastifyRequest as AnyRequest } from "fastify";
import type { z } from "zod";
import type { AfterReply, Bookkeeper } from "../../platform/http/after-reply.ts";
import type { Dialect } from "../../platform/http/dialect.ts";
import type { UsageDetails } from "../usage/record.ts";
import type { Caller } from "../verify-key.ts";

/** Everything that requests, routes and servers carry beside what Fastify gives them. */
declare module "fastify" {
  interface FastifyRequest {
    /** Aborts when the caller hangs up before the reply is complete. */
    readonly signal: AbortSignal;
    openedSignal: AbortSignal | null;
    receivedAtMs: number;
    /** What the route declares, and its pattern. Fastify's own `routeOptions` is put together anew each time it is read. */
    routeConfig: FastifyContextConfig & { url?: string };
    /** Where the reply goes; for `signal`. */
    response: ServerResponse;
    /** Who is calling. Set on every route whose scope is not `open`. */
    caller: Caller;
    /** What a route adds to the usage record of its request. */
    usage: UsageDetails;
    isBooked: boolean;
    /** The body as it came, for requests of the gateway that go on to an upstream. */
    rawBody: Buffer;
  }
  interface FastifyContextConfig {
    /** What a key must be allowed to do; `open` needs no key. Every route says one. */
    scope?: string;
    /** Requests that the route itself lets in, by something else than a key. */
    isOpenFor?(request: AnyRequest): boolean;
    /** How errors of this route are told, where it is not as those of its service. */
    dialect?: Dialect;
    /** The edge's limit where it is not the server's. */
    edgeBytes?: number;
    /** The service answers for bodies beyond it in its own words. */
    speaksAtEdge?: boolean;
    /** The schema of a multipart form; `request.body` is then what it parses to. */
    form?: z.ZodObject;
    /** For a route that takes either and reads it itself: what the API description shows. */
    bodies?: { json: z.ZodObject; form: z.ZodObject };
  }
  interface FastifySchema {
    /** Left out of the description. */
    hide?: boolean;
    summary?: string;
    /** The body's content type, where it is not JSON. */
    consumes?: string[];
  }
  interface FastifyInstance {
    edgeUploadBytes: number;
    /** Tells every client with its next reply to connect anew elsewhere. */
    endSoon(): void;
    /** Resolves when it is time to answer a request that is refused. */
    paceRefusal(request: AnyRequest): Promise<void>;
    /** What is to be done after each reply of this scope. */
    afterReply: readonly AfterReply[];
    bookkeepers: readonly Bookkeeper[];
  }
}
