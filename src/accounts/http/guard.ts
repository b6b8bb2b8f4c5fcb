import type { FastifyReply, FastifyRequest } from "fastify";
import { Problem } from "../../platform/errors.ts";
import type { Health } from "../../platform/health.ts";
import type { HttpApp } from "../../platform/http/http-app.ts";
import type { RateVerdict, TurnWindow } from "../../platform/http/rate-window.ts";
import type { Scope } from "../scopes.ts";
import type { Caller, KeyVerifier } from "../verify-key.ts";
import type { Strangers } from "./strangers.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** Who is calling. Set on every route whose scope is not `open`. */
    caller: Caller;
  }
  interface FastifyContextConfig {
    /** Requests that the route itself lets in, by something else than a key. */
    isOpenFor?(request: FastifyRequest): boolean;
  }
}

export type KeyedRequest = Pick<FastifyRequest, "headers" | "routeConfig">;

/** How one service lets callers in. */
export interface EntryPolicy {
  /** The key as this service's clients send it. */
  readKey(request: KeyedRequest): string | undefined;
  /** How to send a key, for the error message. */
  howToSendKey: string;
  /** Throws when the workspace's plan does not include the service. */
  checkPlan?(caller: Caller): void;
  window: TurnWindow;
  limitFor(caller: Caller): number;
  /** A window of a minute for a key's own limit, where `window` is for the plan's. */
  ownWindow?: TurnWindow;
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
  { verifier, health, strangers }: { verifier: KeyVerifier; health: Health; strangers: Strangers },
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
  // A callback and not a promise: nearly always the key is known, and then nothing here has to wait.
  app.addHook("onRequest", (request, reply, done) => {
    const { scope } = request.routeConfig;
    if (request.is404 || scope === "open" || scope === undefined) return done();
    if (request.routeConfig.isOpenFor?.(request)) return done();
    // What cannot be written down must not be done.
    const { refusal } = health;
    if (refusal) return done(refusal);
    const admit = (caller: Caller | undefined) => {
      if (!caller) strangers.note(request.ip);
      let turn: void | Promise<void>;
      try {
        turn = letIn(request, reply, policy, scope as Scope, caller);
      } catch (error) {
        return done(error as Error);
      }
      if (turn) turn.then(() => done(), done);
      else done();
    };
    const key = policy.readKey(request);
    try {
      if (key && !verifier.isKnown(key)) strangers.check(request.ip);
    } catch (error) {
      return done(error as Error);
    }
    const found = key ? verifier.verify(key) : undefined;
    if (found instanceof Promise) found.then(admit, done);
    else admit(found);
  });
}

function letIn(
  request: FastifyRequest,
  reply: FastifyReply,
  policy: EntryPolicy,
  scope: Scope,
  caller: Caller | undefined,
): void | Promise<void> {
  if (!caller) {
    const isMissing = !policy.readKey(request);
    if (isMissing) throw new Problem("unauthorized", `An API key is required. Send it as ${policy.howToSendKey}.`);
    throw new Problem("unauthorized", "This API key is unknown, expired or revoked.");
  }
  request.caller = caller;
  checkCaller(policy, scope, caller);
  if (policy.isFree?.(request)) {
    tellTurn(reply, lookAtTurn(policy, caller));
    return;
  }
  const verdict = takeTurn(policy, caller);
  if (verdict instanceof Promise) return verdict.then((taken) => judge(reply, taken));
  judge(reply, verdict);
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

/** At once, except where all servers count together. */
function takeTurn(policy: EntryPolicy, caller: Caller): RateVerdict | Promise<RateVerdict> {
  const { ownWindow } = policy;
  if (!ownWindow || caller.ratePerMinute === null) return takePlanned(policy, caller);
  const own = ownWindow.take(caller.keyId, caller.ratePerMinute);
  if (own instanceof Promise) return own.then((taken) => (taken.isAllowed ? takePlanned(policy, caller) : taken));
  return own.isAllowed ? takePlanned(policy, caller) : own;
}

function takePlanned(policy: EntryPolicy, caller: Caller): RateVerdict | Promise<RateVerdict> {
  const taken = policy.window.take(policy.turnOf?.(caller) ?? caller.keyId, policy.limitFor(caller));
  return taken instanceof Promise ? taken.then((verdict) => asTold(policy, verdict)) : asTold(policy, taken);
}

function lookAtTurn(policy: EntryPolicy, caller: Caller | null): Turn {
  if (caller)
    return asTold(policy, policy.window.look(policy.turnOf?.(caller) ?? caller.keyId, policy.limitFor(caller)));
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
