import { Problem, type ProblemKind } from "../../platform/errors.ts";
import { SilentError, UnreachableError } from "../../ports/model-upstream.ts";
import type { Asker } from "./circuit-breaker.ts";
import type { Upstream } from "./upstream.ts";

/** An upstream, and the model that it is asked for. */
export interface Target {
  readonly upstream: Upstream;
  readonly model: string;
}

/** Who is asked next, and after which pause. */
export interface Turn<Asked extends Target> {
  readonly target: Asked;
  readonly waitMs: number;
}

/** How an upstream did not serve a request. */
export interface Failure {
  readonly problem: Problem;
  /** Of its reply, where there was one. */
  readonly status?: number;
  /** It had claimed success. It may bill for that, so it is not asked again. */
  readonly wasSuccess?: boolean;
  /** It was given up because another one is free. */
  readonly isGivenUp?: boolean;
  /** How long it was at work on it. */
  readonly tookMs: number;
}

const triesPerUpstream = 2;
const firstPauseMs = 80;
const longestPauseMs = 2_000;
/** What an upstream was at work on for longer is not sent to it again, for it may bill both. A guess. */
const resendWithinMs = 10_000;

/**
 * Who is asked for one request, in which order. An upstream that fails is tried twice, one that is limited again when nobody else is
 * left, one whose circuit is open not at all, unless there is nobody else. Nothing has reached the caller yet, so a try that failed
 * leaves no trace.
 */
export class Routing<Asked extends Target> {
  readonly #asker: Asker;
  readonly #all: readonly Asked[];
  #queue: { target: Asked; waitMs: number; isDeferred?: boolean }[];
  readonly #tries = new Map<Asked, number>();
  /** What the caller sees when nobody can serve it. */
  #best: Problem | undefined;

  constructor(targets: readonly Asked[], asker: Asker) {
    this.#asker = asker;
    this.#all = targets;
    this.#queue = limitedLast(targets).map((target) => ({ target, waitMs: 0 }));
  }

  /** Throws when nobody is left. Whoever is returned ends in exactly one of the verdicts below. */
  next(): Turn<Asked> {
    for (let turn = this.#queue.shift(); turn; turn = this.#queue.shift()) {
      const { upstream, model } = turn.target;
      if (turn.isDeferred) {
        const leftMs = limitedForMs(turn.target);
        if (leftMs > longestPauseMs) continue;
        turn.waitMs = leftMs;
      }
      const waitSeconds = upstream.allowance?.waitSeconds ?? 0;
      if (waitSeconds > 0) {
        this.#note(
          new Problem("rate_limited", "This model takes no more requests for now.", { retryAfterSeconds: waitSeconds }),
        );
        continue;
      }
      if (upstream.breakers.admit(model) || !this.#hasClosed()) {
        upstream.allowance?.count();
        return turn;
      }
      const retryAfterSeconds = upstream.breakers.retryAfterSeconds(model);
      this.#note(new Problem("upstream_failed", "The upstream gateway is not answering.", { retryAfterSeconds }));
    }
    throw this.#best ?? new Problem("service_unavailable", "No configured upstream offers this endpoint.");
  }

  /** Whether anybody is left who was not asked yet, free or not. */
  get mayHaveOther(): boolean {
    return this.#queue.length > 0;
  }

  /** Whether one of them could be asked at once. */
  get hasOther(): boolean {
    return this.#queue.some(({ target, isDeferred }) => {
      return !isDeferred && !target.upstream.breakers.isOpen(target.model) && limitedForMs(target) === 0;
    });
  }

  /** Something of its reply is worth passing on. */
  succeeded({ upstream: { breakers }, model }: Asked): void {
    breakers.reached();
    breakers.succeed(model);
  }

  /** It does not offer what is wanted, or the caller has gone: nothing is known about it. */
  dropped({ upstream: { breakers }, model }: Asked): void {
    breakers.forget(model);
  }

  /** It did not serve the request. Throws where nobody else may be asked. */
  failed(target: Asked, failure: Failure): void {
    const { problem } = failure;
    this.#judge(target, failure);
    this.#note(problem);
    // It may be at work on it still, and bill.
    if (problem.cause instanceof SilentError && !failure.wasSuccess) throw problem;
    if (isAboutTheRequest(problem)) this.#skipModel(target);
    if (isAboutTheRequest(problem) || failure.wasSuccess || failure.isGivenUp || this.#defer(target, problem)) return;
    const tries = (this.#tries.get(target) ?? 0) + 1;
    this.#tries.set(target, tries);
    if (tries >= triesPerUpstream || failure.tookMs > resendWithinMs || !isWorthRepeating(problem)) return;
    this.#queue.unshift({ target, waitMs: pauseMs(tries, problem.retryAfterSeconds) });
  }

  #judge({ upstream: { breakers }, model }: Asked, { problem, status, wasSuccess, isGivenUp }: Failure): void {
    if (status !== undefined) breakers.reached();
    const isNoReply = status === undefined;
    const isEmpty = wasSuccess && !isAboutTheRequest(problem);
    if (problem.cause instanceof UnreachableError) breakers.unreachable(this.#asker);
    else if (isGivenUp || isNoReply || isEmpty || status >= 500) breakers.fail(model, this.#asker);
    // What is wrong with the request says nothing about the model: the next one is the probe.
    else breakers.forget(model);
  }

  /** Nobody waits for one that is limited while another is free. */
  #defer(target: Asked, { kind, retryAfterSeconds = 0 }: Problem): boolean {
    if (kind !== "rate_limited") return false;
    target.upstream.breakers.limit(target.model, retryAfterSeconds);
    if (this.#queue.length === 0) return false;
    this.#queue.push({ target, waitMs: 0, isDeferred: true });
    this.#tries.set(target, triesPerUpstream - 1);
    return true;
  }

  /** Another upstream of the same model would say the same of the request; another model may not. */
  #skipModel({ model }: Asked): void {
    this.#queue = this.#queue.filter(({ target }) => target.model !== model);
  }

  /** An upstream that is the only one is asked whatever happens. */
  #hasClosed(): boolean {
    return this.#all.some(({ upstream, model }) => !upstream.breakers.isOpen(model));
  }

  #note(problem: Problem): void {
    this.#best = better(this.#best, problem);
  }
}

/** Whoever said that it takes no more for now is asked after those who did not. */
function limitedLast<Asked extends Target>(targets: readonly Asked[]): readonly Asked[] {
  if (targets.length < 2) return targets;
  const isLimited = (target: Asked) => limitedForMs(target) > 0;
  return [...targets.filter((target) => !isLimited(target)), ...targets.filter(isLimited)];
}

function limitedForMs({ upstream, model }: Target): number {
  return Math.max(upstream.breakers.limitedForMs(model), (upstream.allowance?.waitSeconds ?? 0) * 1000);
}

const aboutTheRequest = new Set<ProblemKind>([
  "invalid_request",
  "too_large",
  "unprocessable_audio",
  "unsupported_media_type",
  "conflict",
  "legally_unavailable",
]);

/** Another upstream of the model would say the same. Only an unknown model, or a provider that fails, is worth asking the next one. */
function isAboutTheRequest({ kind }: Problem): boolean {
  return aboutTheRequest.has(kind);
}

function isWorthRepeating({ kind, retryAfterSeconds }: Problem): boolean {
  const isPassing = kind === "upstream_failed" || kind === "rate_limited";
  return isPassing && (retryAfterSeconds ?? 0) * 1000 <= longestPauseMs;
}

/** How near each failure was to a reply: who is busy will serve it later, who does not have the model never will. */
const nearness: Partial<Record<ProblemKind, number>> = {
  rate_limited: 4,
  upstream_failed: 3,
  dependency_failed: 2,
  // Here is what is wrong with the request: 1.
  gateway_unavailable: 0,
  model_not_found: -1,
  not_found: -1,
};

/** Of two as near to a reply the one after which it may be tried again sooner, else the first. */
function better(best: Problem | undefined, other: Problem): Problem {
  if (!best) return other;
  const gain = (nearness[other.kind] ?? 1) - (nearness[best.kind] ?? 1);
  if (gain !== 0) return gain > 0 ? other : best;
  return (other.retryAfterSeconds ?? Infinity) < (best.retryAfterSeconds ?? Infinity) ? other : best;
}

function pauseMs(tries: number, retryAfterSeconds = 0): number {
  const backOffMs = firstPauseMs * 2 ** tries * (0.5 + Math.random());
  return Math.max(retryAfterSeconds * 1000, backOffMs);
}
