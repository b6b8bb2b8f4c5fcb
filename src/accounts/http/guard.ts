import type { FastifyReply, FastifyRequest } from "fastify";
import { Problem } from "../../platform/errors.ts";
import type { HttpApp } from "../../platform/http/create-server.ts";
import type { RateVerdict, RateWindow } from "../../platform/http/rate-window.ts";
import type { Scope } from "../scopes.ts";
import type { Caller, KeyVerifier } from "../verify-key.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** Who is calling. Set on every route whose scope is not `open`. */
    caller: Caller;
  }
}

/** How one service lets callers in. */
export interface EntryPolicy {
  /** The key as this service's clients send it. */
  readKey(request: FastifyRequest): string | undefined;
  /** How to send a key, for the error message. */
  howToSendKey: string;
  /** Throws when the workspace's plan does not include the service. */
  checkPlan?(caller: Caller): void;
  window: RateWindow;
  limitFor(caller: Caller): number;
}

/** Key, scope, plan, rate: in this order, on every route that does not declare itself open, before any body is read. */
export function guard(app: HttpApp, policy: EntryPolicy, verifier: KeyVerifier): void {
  app.decorateRequest("caller", null as unknown as Caller);
  app.addHook("onRoute", (route) => {
    if (route.config?.scope === undefined) throw new Error(`${route.method} ${route.url} declares no scope.`);
  });
  app.addHook("onRequest", async (request, reply) => {
    const scope = request.routeOptions.config.scope;
    if (request.is404 || scope === "open" || scope === undefined) return;
    const caller = await identify(request, policy, verifier);
    request.caller = caller;
    if (!caller.scopes.has(scope as Scope)) {
      throw new Problem("missing_scope", `This key lacks the scope "${scope}". Create a key that has it.`);
    }
    policy.checkPlan?.(caller);
    spendOne(reply, policy.window.take(caller.keyId, policy.limitFor(caller)));
  });
}

async function identify(request: FastifyRequest, policy: EntryPolicy, verifier: KeyVerifier): Promise<Caller> {
  const key = policy.readKey(request);
  if (!key) throw new Problem("unauthorized", `An API key is required. Send it as ${policy.howToSendKey}.`);
  const caller = await verifier.verify(key);
  if (!caller) throw new Problem("unauthorized", "This API key is unknown, expired or revoked.");
  return caller;
}

function spendOne(reply: FastifyReply, verdict: RateVerdict): void {
  reply.header("x-ratelimit-limit", verdict.limit);
  reply.header("x-ratelimit-remaining", verdict.remaining);
  reply.header("x-ratelimit-reset", verdict.resetSeconds);
  if (verdict.isAllowed) return;
  throw new Problem(
    "rate_limited",
    `Too many requests: the limit of ${verdict.limit} is reached. Try again in ${verdict.retryAfterSeconds} s.`,
    { retryAfterSeconds: verdict.retryAfterSeconds },
  );
}

/** "Authorization: Bearer KEY", with the scheme in any case. */
export function readBearer(request: FastifyRequest): string | undefined {
  return /^Bearer +(\S+) *$/i.exec(request.headers.authorization ?? "")?.[1];
}
