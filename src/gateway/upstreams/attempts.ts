import { Problem, type ProblemKind } from "../../platform/errors.ts";
import type { Log } from "../../platform/log.ts";
import { SilentError, UnreachableError, type UpstreamCall } from "../../ports/model-upstream.ts";
import { LiveReply, type StopSignal, tryReply } from "./live-reply.ts";
import { pause } from "./pause.ts";
import type { Upstream } from "./upstream.ts";
import { readProblem } from "./upstream-problem.ts";

export interface Sending<Asked> {
  readonly targets: readonly Asked[];
  /** How to ask this one; undefined when it does not offer what is wanted. */
  callFor(target: Asked): UpstreamCall | undefined;
  /** How else to ask one that does not know the path; undefined when there is no other way. */
  anotherWay?(target: Asked): UpstreamCall | undefined;
  readonly signal: StopSignal;
  readonly log: Log;
}

/** A reply that claims success. */
export interface Answer<Asked> {
  readonly target: Asked;
  readonly live: LiveReply;
}

/** An upstream, and the model that it is asked for. */
export interface Target {
  readonly upstream: Upstream;
  readonly model: string;
}

const triesPerUpstream = 2;
const firstPauseMs = 80;
const longestPauseMs = 2_000;
/** What an upstream was at work on for longer is not sent to it again, for it may bill both. A guess. */
const resendWithinMs = 10_000;

/**
 * Asks one upstream after another until one answers with success. An upstream that fails is tried twice, one that is limited again
 * when nobody else is left, one whose breaker is open not at all. Nothing has reached the client yet, so a try that failed leaves no trace.
 */
export class Attempts<Asked extends Target> {
  readonly #sending: Sending<Asked>;
  /** In the order in which they are asked. */
  #targets: readonly Asked[];
  /** Limited, and asked again after the others. */
  readonly #deferred = new Set<Asked>();
  #index = -1;
  /** What the caller sees when nobody can serve it. */
  #best: Problem | undefined;

  constructor(sending: Sending<Asked>) {
    this.#sending = sending;
    this.#targets = limitedLast(sending.targets);
  }

  /** Throws when nobody can serve it, or the client has gone. */
  async next(): Promise<Answer<Asked>> {
    const sending = this.#sending;
    for (this.#index += 1; this.#index < this.#targets.length; this.#index++) {
      const target = this.#targets[this.#index]!;
      const isAgain = this.#deferred.has(target);
      if (isAgain && !(await this.#isFree(target))) continue;
      let call = sending.callFor(target);
      for (let tries = isAgain ? triesPerUpstream : 1; call && this.#mayAsk(target); tries++) {
        const askedAtMs = performance.now();
        const answer = await tryReply(target.upstream.transport, call, sending.signal);
        if (answer instanceof LiveReply && isSuccess(answer)) {
          target.upstream.breakers.reached();
          return { target, live: answer };
        }
        const problem = answer instanceof LiveReply ? await this.#look(target, answer) : this.#blame(target, answer);
        const isElsewhere = answer instanceof LiveReply && lacksPath(answer.status, problem);
        const other = isElsewhere ? sending.anotherWay?.(target) : undefined;
        if (other) {
          call = other;
          tries -= 1;
          continue;
        }
        this.#note(problem, target.upstream);
        if (problem.cause instanceof SilentError) throw problem;
        if (isAboutTheRequest(problem)) {
          this.#skipModel();
          break;
        }
        const isLate = performance.now() - askedAtMs > resendWithinMs;
        if (tries >= triesPerUpstream || isLate || this.#defer(target, problem) || !isWorthRepeating(problem)) break;
        await pause(pauseMs(tries, problem.retryAfterSeconds), sending.signal);
      }
    }
    throw this.#best ?? new Problem("service_unavailable", "No configured upstream offers this endpoint.");
  }

  /** Nobody waits for one that is limited while another is free. */
  #defer(target: Asked, { kind, retryAfterSeconds = 0 }: Problem): boolean {
    if (kind !== "rate_limited") return false;
    target.upstream.breakers.limit(target.model, retryAfterSeconds);
    if (this.#index + 1 >= this.#targets.length) return false;
    this.#deferred.add(target);
    this.#targets = [...this.#targets, target];
    return true;
  }

  /** It is soon, and then it is waited for. */
  async #isFree({ upstream, model }: Asked): Promise<boolean> {
    const leftMs = upstream.breakers.limitedForMs(model);
    if (leftMs > longestPauseMs) return false;
    await pause(leftMs, this.#sending.signal);
    return true;
  }

  /** There was something in the answer. */
  accept(): void {
    const { upstream, model } = this.#targets[this.#index]!;
    upstream.breakers.succeed(model);
  }

  /** It said that it had succeeded and had not. It may bill for that, so it is not asked again. Throws where nobody else would do
   *  better. */
  refuse(problem: Problem): void {
    const { upstream, model } = this.#targets[this.#index]!;
    if (!isAboutTheRequest(problem)) upstream.breakers.fail(model);
    this.#note(problem, upstream);
    if (this.#sending.signal.aborted) throw problem;
    if (isAboutTheRequest(problem)) this.#skipModel();
  }

  /** Another upstream of the same model would say the same of the request; another model may not. */
  #skipModel(): void {
    const { model } = this.#targets[this.#index]!;
    this.#targets = this.#targets.filter((target, at) => at <= this.#index || target.model !== model);
  }

  #mayAsk({ upstream: { breakers }, model }: Asked): boolean {
    if (breakers.admit(model)) return true;
    const retryAfterSeconds = breakers.retryAfterSeconds(model);
    this.#best = better(
      this.#best,
      new Problem("upstream_failed", "The upstream gateway is not answering.", { retryAfterSeconds }),
    );
    return false;
  }

  /** There was no reply. */
  #blame({ upstream: { breakers }, model }: Asked, cause: Error): Problem {
    const { signal } = this.#sending;
    if (signal.aborted) {
      breakers.forget(model);
      throw signal.reason;
    }
    if (cause instanceof UnreachableError) breakers.unreachable();
    else breakers.fail(model);
    return new Problem("upstream_failed", "The upstream gateway cannot be reached.", { cause });
  }

  /** What the reply says went wrong. */
  #look({ upstream, model }: Asked, live: LiveReply): Promise<Problem> {
    upstream.breakers.reached();
    if (live.status >= 500) upstream.breakers.fail(model);
    return readProblem(upstream, live);
  }

  #note(problem: Problem, { name }: Upstream): void {
    this.#best = better(this.#best, problem);
    this.#sending.log.warn(
      { upstream: name, error: String(problem.cause ?? problem) },
      "an upstream did not serve a request",
    );
  }
}

/** Whoever said that it takes no more for now is asked after those who did not. */
function limitedLast<Asked extends Target>(targets: readonly Asked[]): readonly Asked[] {
  if (targets.length < 2) return targets;
  const isLimited = ({ upstream, model }: Asked) => upstream.breakers.limitedForMs(model) > 0;
  return [...targets.filter((target) => !isLimited(target)), ...targets.filter(isLimited)];
}

function isSuccess({ status }: LiveReply): boolean {
  return status >= 200 && status < 300;
}

/** There is nothing at the path, whatever the model. */
function lacksPath(status: number, { kind }: Problem): boolean {
  return (status === 404 && kind === "not_found") || status === 405 || status === 501;
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
