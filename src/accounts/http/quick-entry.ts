import type { FastifyContextConfig, FastifyRequest } from "fastify";
import { beforeLeaving, bookReply, tellReplied } from "../../platform/http/after-reply.ts";
import { type HttpApp, readRequestId } from "../../platform/http/create-server.ts";
import { sendProblem } from "../../platform/http/errors.ts";
import type { OpenReply, QuickHandler } from "../../platform/http/quick/quick-connection.ts";
import type { QuickReply } from "../../platform/http/quick/quick-reply.ts";
import type { RateVerdict } from "../../platform/http/rate-window.ts";
import type { QuickHead } from "../../platform/http1/read-request.ts";
import type { Scope } from "../scopes.ts";
import type { UsageDetails } from "../usage/record.ts";
import type { Caller } from "../verify-key.ts";
import { checkCaller, takeTurn, tellTurn } from "./guard.ts";
import type { MountContext, Service } from "./mount-service.ts";

declare module "fastify" {
  interface FastifyContextConfig {
    /** How the route serves plain requests without the framework. */
    quick?: QuickRoute;
  }
}

export interface QuickRoute {
  /** The body as the route takes it; undefined for one that it refuses, or does not serve by the quick lane. */
  read(bytes: Buffer): Record<string, unknown> | undefined;
  /** Answers, sooner or later. */
  handle(request: QuickRequest, reply: QuickReply): void;
}

/** As much of Fastify's request as routes of the quick lane use. */
export class QuickRequest {
  readonly id: string;
  readonly method = "POST";
  readonly headers: QuickHead["headers"];
  readonly routeConfig: FastifyRequest["routeConfig"];
  readonly receivedAtMs: number;
  readonly caller: Caller;
  readonly usage: UsageDetails = {};
  isBooked = false;
  readonly body: unknown;
  readonly rawBody: Buffer;
  readonly response: QuickReply;

  constructor(head: Entering, caller: Caller, body: unknown, rawBody: Buffer, response: QuickReply) {
    this.id = readRequestId(head);
    this.headers = head.headers;
    this.routeConfig = head.routeConfig;
    this.receivedAtMs = head.receivedAtMs;
    this.caller = caller;
    this.body = body;
    this.rawBody = rawBody;
    this.response = response;
  }
}

interface Entering {
  readonly headers: QuickHead["headers"];
  readonly routeConfig: FastifyRequest["routeConfig"];
  readonly receivedAtMs: number;
}

/**
 * Opens the quick lane for the routes of a service that declare it. It serves only what passes every check; whatever would have
 * to be refused is left to the framework, which makes the same checks and finds the words. To be called before routes are added.
 */
export function openQuickLane(app: HttpApp, service: Service<string>, context: MountContext): void {
  app.addHook("onRoute", ({ url, config }) => {
    if (config?.quick) app.quickLane.set(url, serveQuickly(app, { ...config, url }, config.quick, service, context));
  });
}

function serveQuickly(
  app: HttpApp,
  routeConfig: FastifyContextConfig & { url: string },
  route: QuickRoute,
  { policy, dialect }: Service<string>,
  { verifier, health, log }: MountContext,
): QuickHandler {
  return ({ headers }, bytes, open) => {
    if (health.refusal) return false;
    const entering = { headers, routeConfig, receivedAtMs: performance.now() };
    if (policy.leavesQuickLane?.(entering)) return false;
    const key = policy.readKey(entering);
    // The framework knows what to do with strangers.
    if (!key || !verifier.isKnown(key)) return false;
    const found = verifier.verify(key);
    if (!(found instanceof Promise)) return serve(entering, found, bytes, open);
    return found.catch(() => undefined).then((caller) => serve(entering, caller, bytes, open));
  };

  function serve(
    entering: Entering,
    caller: Caller | undefined,
    bytes: Buffer,
    open: OpenReply,
  ): boolean | Promise<boolean> {
    if (!caller || !mayEnter(caller)) return false;
    const body = route.read(bytes);
    if (!body) return false;
    const verdict = takeTurn(policy, caller);
    if (!(verdict instanceof Promise)) return answer(entering, caller, body, bytes, open, verdict);
    // The framework finds the words for a window that cannot be looked at.
    return verdict.then((taken) => answer(entering, caller, body, bytes, open, taken)).catch(() => false);
  }

  function answer(
    entering: Entering,
    caller: Caller,
    body: Record<string, unknown>,
    bytes: Buffer,
    open: OpenReply,
    verdict: RateVerdict,
  ): boolean {
    if (!verdict.isAllowed) return false;
    const reply = open({
      onError: (error) => sendProblem(reply, request, dialect, error, log),
      onKnown: (status) => bookReply(app.bookkeepers, request, status),
      onEnding: () => beforeLeaving(app.bookkeepers, request, reply.statusCode),
      onClosed() {
        tellReplied(app, request, reply);
      },
    });
    const request = new QuickRequest(entering, caller, body, bytes, reply);
    app.greet(request, reply);
    tellTurn(reply, verdict);
    try {
      route.handle(request, reply);
    } catch (error) {
      reply.send(error);
    }
    return true;
  }

  function mayEnter(caller: Caller): boolean {
    try {
      checkCaller(policy, routeConfig.scope as Scope, caller);
      return true;
    } catch {
      return false;
    }
  }
}
