import { Problem, type ProblemKind } from "../../platform/errors.ts";
import type { Log } from "../../platform/log.ts";
import { SilentError, UnreachableError, type UpstreamCall } from "../../ports/model-upstream.ts";
import { askFor, type LiveReply, type StopSignal } from "./live-reply.ts";
import type { Upstream } from "./upstream.ts";
import { readProblem } from "./upstream-problem.ts";

export interface Sending<Target> {
  readonly targets: readonly Target[];
  /** How to ask this one; undefined when it does not offer what is wanted. */
  callFor(target: Target): UpstreamCall | undefined;
  /** How else to ask one that does not know the path; undefined when there is no other way. */
  anotherWay?(target: Target): UpstreamCall | undefined;
  readonly signal: StopSignal;
  readonly log: Log;
  /** A reply that claims success. */
  onAnswer(target: Target, live: LiveReply, verdict: Verdict): void;
  /** Nobody could serve it, or the client has gone. */
  onFailure(error: unknown): void;
}

/** What came of a reply that claims success. One of both is called, once. */
export interface Verdict {
  accept(): void;
  /** There is nothing in it. Asks the next upstream, so nothing may have reached the client. */
  refuse(problem: Problem): void;
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
 * Asks one upstream after another until one answers with success. An upstream that fails is tried twice, one whose breaker is
 * open not at all. Nothing has reached the client yet, so a try that failed leaves no trace.
 */
export function send<Asked extends Target>(sending: Sending<Asked>): void {
  const { targets, signal, log } = sending;
  let last: Problem | undefined;
  askNext(0);

  function askNext(index: number): void {
    const target = targets[index];
    if (!target) {
      sending.onFailure(last ?? new Problem("service_unavailable", "No configured upstream offers this endpoint."));
      return;
    }
    const call = sending.callFor(target);
    if (call) ask(index, target, call, 1);
    else askNext(index + 1);
  }

  function ask(index: number, target: Asked, call: UpstreamCall, tries: number): void {
    const { upstream, model } = target;
    const { breakers } = upstream;
    const askedAtMs = performance.now();
    if (!breakers.admit(model)) {
      last ??= new Problem("upstream_failed", "The upstream gateway is not answering.", {
        retryAfterSeconds: breakers.retryAfterSeconds(model),
      });
      askNext(index + 1);
      return;
    }
    askFor(upstream.transport, call, signal, {
      onReply(live) {
        breakers.reached();
        if (live.status >= 500) breakers.fail(model);
        if (live.status >= 200 && live.status < 300) sending.onAnswer(target, live, { accept, refuse });
        else readProblem(upstream, live).then(lookElsewhere).catch(sending.onFailure);

        function lookElsewhere(problem: Problem): Promise<void> | void {
          const other = lacksPath(live.status, problem) ? sending.anotherWay?.(target) : undefined;
          return other ? ask(index, target, other, tries) : goOn(problem);
        }
      },
      onFailure(cause) {
        if (signal.aborted) {
          breakers.forget(model);
          sending.onFailure(signal.reason);
          return;
        }
        if (cause instanceof UnreachableError) breakers.unreachable();
        else breakers.fail(model);
        goOn(new Problem("upstream_failed", "The upstream gateway cannot be reached.", { cause })).catch(
          sending.onFailure,
        );
      },
    });

    function accept(): void {
      breakers.succeed(model);
    }

    /** It said that it had succeeded and had not. It may bill for that, so it is not asked again. */
    function refuse(problem: Problem): void {
      if (!isAboutTheRequest(problem)) breakers.fail(model);
      note(problem);
      if (isAboutTheRequest(problem) || signal.aborted) sending.onFailure(problem);
      else askNext(index + 1);
    }

    async function goOn(problem: Problem): Promise<void> {
      note(problem);
      if (isAboutTheRequest(problem) || problem.cause instanceof SilentError) throw problem;
      const isLate = performance.now() - askedAtMs > resendWithinMs;
      if (tries >= triesPerUpstream || isLate || !isWorthRepeating(problem)) return askNext(index + 1);
      await pause(tries, problem.retryAfterSeconds, signal);
      ask(index, target, call, tries + 1);
    }

    function note(problem: Problem): void {
      last = problem;
      const error = String(problem.cause ?? problem);
      log.warn({ upstream: upstream.name, tries, error }, "an upstream did not serve a request");
    }
  }
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

/** Another upstream would say the same. Only an unknown model, or a provider that fails, is worth asking the next one. */
function isAboutTheRequest({ kind }: Problem): boolean {
  return aboutTheRequest.has(kind);
}

function isWorthRepeating({ kind, retryAfterSeconds }: Problem): boolean {
  return kind === "upstream_failed" || (kind === "rate_limited" && (retryAfterSeconds ?? 0) * 1000 <= longestPauseMs);
}

async function pause(tries: number, retryAfterSeconds: number | undefined, signal: StopSignal): Promise<void> {
  const atLeastMs = retryAfterSeconds === undefined ? 0 : retryAfterSeconds * 1000;
  const backOffMs = firstPauseMs * 2 ** tries * (0.5 + Math.random());
  await new Promise<void>((resolve, reject) => {
    const onAbort = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(
      () => {
        signal.removeEventListener("abort", onAbort);
        resolve();
      },
      Math.max(atLeastMs, backOffMs),
    );
    signal.addEventListener("abort", onAbort, { once: true });
  });
}
