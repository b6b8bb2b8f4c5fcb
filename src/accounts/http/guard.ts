import type { FastifyReply, FastifyRequest } from "fastify";
import type { RateVerdict, SlidingWindow } from "../../limits/sliding-window.ts";
import type { UnknownKeyLimit } from "../../limits/unknown-key-limit.ts";
import { Problem } from "../../platform/errors.ts";
import type { Health } from "../../platform/health.ts";
import type { HttpApp } from "../../platform/http/http-app.ts";

import type { Scope } from "../scopes.ts";
import type { Caller, KeyVerifier } from "../verify-key.ts";

export type KeyedRequest = Pick<FastifyRequest, "headers" | "routeConfig">;

/** How one service lets callers in. */
export interface EntryPolicy {
  /** The key as this service's clients send it. */
  readKey(request: KeyedRequest): string | undefined;
  /** How to send a key, for the error message. */
  howToSendKey: string;
  /** Throws when the workspace's plan does not include the service. */
  checkPlan?(caller: Caller): void;
  window: SlidingWindow;
  limitFor(caller: Caller): number;
  /** A window of a minute for a key's own limit, where `window` is for the plan's. */
  ownWindow?: SlidingWindow;
  /** Who shares a limit; a key has its own unless the service says otherwise. */
  turnOf?(caller: Caller): string;
  /** Requests that do not count against the limit. */
  isFree?(request: Pick<FastifyRequest, "method">): boolean;
  /** X-RateLimit-Reset tells when the next request is allowed, as Retry-After does, and not when the window is empty. */
  resetsAtNext?: boolean;
  /** What replies tell somebody whose key is not known (yet). */
  strangersLimit: number;
}

/** Key, scope, plan, rate: in this order, on every route that does not declare itself open, before any body is read. */
export function guard(
  app: HttpApp,
  policy: EntryPolicy,
  { verifier, health, unknown }: { verifier: KeyVerifier; health: Health; unknown: UnknownKeyLimit },
): void {
  app.decorateRequest("caller", null as unknown as Caller);
  app.addHook("onRoute", (route) => {
    if (route.config?.scope === undefined) throw new Error(`${route.method} ${route.url} declares no scope.`);
  });
  // Every reply tells the limit, also those that come before the key was looked at, or instead of a turn.
  app.addHook("onSend", (request, reply, _payload, done) => {
    if (!reply.hasHeader("x-ratelimit-limit")) tellTurn(reply, lookAtTurn(policy, request.caller));
    done();
  });
  app.addHook("onRequest", async (request, reply) => {
    const { scope } = request.routeConfig;
    if (request.is404 || scope === "open" || scope === undefined) return;
    if (request.routeConfig.isOpenFor?.(request)) return;
    // What cannot be written down must not be done.
    if (health.refusal) throw health.refusal;
    const key = policy.readKey(request);
    if (!key) throw new Problem("unauthorized", `An API key is required. Send it as ${policy.howToSendKey}.`);
    if (!verifier.isKnown(key)) unknown.check(request.ip);
    const caller = await verifier.verify(key);
    if (!caller) {
      unknown.note(request.ip);
      throw new Problem("unauthorized", "This API key is unknown, expired or revoked.");
    }
    request.caller = caller;
    checkCaller(policy, scope as Scope, caller);
    if (policy.isFree?.(request)) tellTurn(reply, lookAtTurn(policy, caller));
    else judge(reply, await takeTurn(policy, caller));
  });
}

function judge(reply: FastifyReply, verdict: RateVerdict): void {
  tellTurn(reply, verdict);
  if (verdict.isAllowed) return;
  throw new Problem(
    "rate_limited",
    `Too many requests: the limit of ${verdict.limit} is reached. Try again in ${verdict.retryAfterSeconds} s.`,
    { retryAfterSeconds: verdict.retryAfterSeconds },
  );
}

/** Throws unless the caller may use what is within the scope. */
function checkCaller(policy: EntryPolicy, scope: Scope, caller: Caller): void {
  if (!caller.scopes.has(scope)) {
    throw new Problem("missing_scope", `This key lacks the scope "${scope}". Create a key that has it.`);
  }
  policy.checkPlan?.(caller);
}

async function takeTurn(policy: EntryPolicy, caller: Caller): Promise<RateVerdict> {
  const { ownWindow } = policy;
  if (ownWindow && caller.ratePerMinute !== null) {
    const own = await ownWindow.take(caller.keyId, caller.ratePerMinute);
    if (!own.isAllowed) return own;
  }
  return asTold(policy, await policy.window.take(policy.turnOf?.(caller) ?? caller.keyId, policy.limitFor(caller)));
}

function lookAtTurn(policy: EntryPolicy, caller: Caller | null): Turn {
  if (caller)
    return asTold(policy, policy.window.lastSeen(policy.turnOf?.(caller) ?? caller.keyId, policy.limitFor(caller)));
  return { limit: policy.strangersLimit, remaining: policy.strangersLimit, resetSeconds: 0 };
}

function asTold(policy: EntryPolicy, verdict: RateVerdict): RateVerdict {
  if (!policy.resetsAtNext) return verdict;
  return { ...verdict, resetSeconds: verdict.isAllowed ? verdict.nextSeconds : verdict.retryAfterSeconds };
}

type Turn = Pick<RateVerdict, "limit" | "remaining" | "resetSeconds">;

export function tellTurn(reply: FastifyReply, { limit, remaining, resetSeconds }: Turn): void {
  reply.header("x-ratelimit-limit", limit);
  reply.header("x-ratelimit-remaining", remaining);
  reply.header("x-ratelimit-reset", resetSeconds);
}

/** The key, in either of the two headers that the services document: whoever has one key uses it everywhere. */
export function readKey(request: KeyedRequest): string | undefined {
  return readBearer(request) ?? [request.headers["x-api-key"]].flat()[0];
}

/** "Authorization: Bearer KEY", with the scheme in any case. */
export function readBearer(request: KeyedRequest): string | undefined {
  const { authorization = "" } = request.headers;
  // As everybody writes it.
  if (authorization.startsWith("Bearer ") && authorization.lastIndexOf(" ") === 6) return authorization.slice(7);
  return /^Bearer +(\S+) *$/i.exec(authorization)?.[1];
}
