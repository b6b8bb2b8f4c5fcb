import { Problem } from "../../platform/errors.ts";
import type { Log } from "../../platform/log.ts";
import type { UpstreamCall } from "../../ports/model-upstream.ts";
import { type LiveReply, openReply, type StopSignal } from "./live-reply.ts";
import type { Upstream } from "./upstream.ts";
import { readProblem } from "./upstream-problem.ts";

export interface Answer<Target> {
  readonly target: Target;
  readonly live: LiveReply;
}

const triesPerUpstream = 2;
const firstPauseMs = 80;
const longestPauseMs = 2_000;

/**
 * Asks one upstream after another until one answers with success. An upstream that fails is tried twice, one whose breaker is
 * open not at all. Nothing has reached the client yet, so a try that failed leaves no trace.
 */
export async function send<Target extends { readonly upstream: Upstream }>(
  targets: readonly Target[],
  callFor: (target: Target) => UpstreamCall | undefined,
  signal: StopSignal,
  log: Log,
): Promise<Answer<Target>> {
  let last: Problem | undefined;
  for (const target of targets) {
    const call = callFor(target);
    if (!call) continue;
    const { upstream } = target;
    for (let tries = 1; tries <= triesPerUpstream; tries++) {
      if (!upstream.breaker.admit()) {
        last ??= new Problem("upstream_failed", "The upstream gateway is not answering.", {
          retryAfterSeconds: upstream.breaker.retryAfterSeconds,
        });
        break;
      }
      const outcome = await tryOnce(upstream, call, signal);
      if (!(outcome instanceof Problem)) return { target, live: outcome };
      last = outcome;
      log.warn(
        { upstream: upstream.name, tries, error: String(causeOf(outcome)) },
        "an upstream did not serve a request",
      );
      if (isAboutTheRequest(outcome)) throw outcome;
      if (!isWorthRepeating(outcome)) break;
      if (tries < triesPerUpstream) await pause(tries, outcome.retryAfterSeconds, signal);
    }
  }
  throw last ?? new Problem("service_unavailable", "No configured upstream offers this endpoint.");
}

async function tryOnce(upstream: Upstream, call: UpstreamCall, signal: StopSignal): Promise<LiveReply | Problem> {
  let live: LiveReply;
  try {
    live = await openReply(upstream.transport, call, signal);
  } catch (error) {
    if (signal.aborted) {
      upstream.breaker.forget();
      throw signal.reason;
    }
    upstream.breaker.fail();
    return new Problem("upstream_failed", "The upstream gateway cannot be reached.", { cause: error });
  }
  if (live.status >= 500) upstream.breaker.fail();
  else upstream.breaker.succeed();
  if (live.status >= 200 && live.status < 300) return live;
  return readProblem(upstream, live);
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

function causeOf(problem: Problem): unknown {
  return problem.cause ?? problem;
}
