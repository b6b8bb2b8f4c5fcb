import { Problem } from "../../platform/errors.ts";
import type { Log } from "../../platform/log.ts";
import type { UpstreamCall } from "../../ports/model-upstream.ts";
import { askFor, type LiveReply, type StopSignal } from "./live-reply.ts";
import type { Upstream } from "./upstream.ts";
import { readProblem } from "./upstream-problem.ts";

export interface Sending<Target> {
  readonly targets: readonly Target[];
  /** How to ask this one; undefined when it does not offer what is wanted. */
  callFor(target: Target): UpstreamCall | undefined;
  readonly signal: StopSignal;
  readonly log: Log;
  onAnswer(target: Target, live: LiveReply): void;
  /** Nobody could serve it, or the client has gone. */
  onFailure(error: unknown): void;
}

const triesPerUpstream = 2;
const firstPauseMs = 80;
const longestPauseMs = 2_000;

/**
 * Asks one upstream after another until one answers with success. An upstream that fails is tried twice, one whose breaker is
 * open not at all. Nothing has reached the client yet, so a try that failed leaves no trace.
 */
export function send<Target extends { readonly upstream: Upstream }>(sending: Sending<Target>): void {
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

  function ask(index: number, target: Target, call: UpstreamCall, tries: number): void {
    const { upstream } = target;
    if (!upstream.breaker.admit()) {
      last ??= new Problem("upstream_failed", "The upstream gateway is not answering.", {
        retryAfterSeconds: upstream.breaker.retryAfterSeconds,
      });
      askNext(index + 1);
      return;
    }
    askFor(upstream.transport, call, signal, {
      onReply(live) {
        if (live.status >= 500) upstream.breaker.fail();
        else upstream.breaker.succeed();
        if (live.status >= 200 && live.status < 300) sending.onAnswer(target, live);
        else readProblem(upstream, live).then(goOn).catch(sending.onFailure);
      },
      onFailure(cause) {
        if (signal.aborted) {
          upstream.breaker.forget();
          sending.onFailure(signal.reason);
          return;
        }
        upstream.breaker.fail();
        goOn(new Problem("upstream_failed", "The upstream gateway cannot be reached.", { cause })).catch(
          sending.onFailure,
        );
      },
    });

    async function goOn(problem: Problem): Promise<void> {
      last = problem;
      const error = String(problem.cause ?? problem);
      log.warn({ upstream: upstream.name, tries, error }, "an upstream did not serve a request");
      if (isAboutTheRequest(problem)) throw problem;
      if (tries >= triesPerUpstream || !isWorthRepeating(problem)) return askNext(index + 1);
      await pause(tries, problem.retryAfterSeconds, signal);
      ask(index, target, call, tries + 1);
    }
  }
}

/** Another upstream would say the same. Only an unknown model is worth asking the next one. */
function isAboutTheRequest({ kind }: Problem): boolean {
  return kind === "invalid_request" || kind === "too_large" || kind === "unprocessable_audio";
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
