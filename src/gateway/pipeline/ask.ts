import { setTimeout as sleep } from "node:timers/promises";
import { Problem } from "../../platform/errors.ts";
import type { UpstreamCall, UpstreamReply } from "../../ports/model-upstream.ts";
import type { Route } from "../catalog/catalog.ts";
import type { Meter } from "../charging/meter.ts";
import type { Counts } from "../measures/measures.ts";
import type { Failure, Routing } from "../upstreams/routing.ts";
import { readProblem } from "../upstreams/upstream-problem.ts";
import type { Gateway } from "./gateway.ts";

/** How upstreams are asked for one request. */
export interface Asking {
  readonly gateway: Gateway;
  readonly routing: Routing<Route>;
  readonly meter: Meter;
  readonly calls: Calls;
  readonly limits: Limits;
  /** Aborts when the caller hangs up, and nobody is to go on without it. */
  readonly signal: AbortSignal;
  /** An upstream was given up for another one, and may bill what it has begun. */
  onAbandoned(route: Route): void;
}

export interface Calls {
  /** How to ask this upstream; undefined when it does not offer the endpoint. */
  callFor(route: Route): UpstreamCall | undefined;
  /** How else to ask an upstream that does not know the endpoint's path. */
  anotherWay?(route: Route): UpstreamCall | undefined;
  /** The same with less in it, where the upstream refuses what it does not know. */
  plainer?(route: Route, refusal: Problem): UpstreamCall | undefined;
}

/** How long an upstream may take while another one is free. */
export type Limits =
  | { readonly isStream: true; readonly firstByteMs: number; readonly firstTokenMs: number }
  | { readonly isStream: false; readonly wholeMs: number };

/** Whether somebody else has become free is looked at so often. */
const lookAgainMs = 1_000;

class GivenUpError extends Error {
  override readonly name = "GivenUpError";
}

/** One upstream that was asked, and its reply once that claims success. */
export class Attempt {
  readonly route: Route;
  /** Once it has begun. */
  reply!: UpstreamReply;
  /** Why it ended without serving the request; for the trail. */
  outcome = "";
  readonly #asking: Asking;
  /** Where it may be given up for another one: a signal of its own costs as much as the key's check. */
  readonly #controller: AbortController | undefined;
  readonly #counts: Counts;
  readonly #askedAtMs = performance.now();
  readonly #onGone = () => this.#controller?.abort(this.#asking.signal.reason);
  #timer: NodeJS.Timeout | undefined;
  #isJudged = false;

  constructor(asking: Asking, route: Route) {
    this.#asking = asking;
    this.route = route;
    const { upstream, model, listed } = route;
    this.#counts = asking.gateway.measures.of(upstream.name, model);
    if (asking.meter.counts) asking.meter.counts.fallOvers += 1;
    asking.meter.counts = this.#counts;
    asking.meter.servedBy(upstream.name, listed?.prices, upstream.kind.isReasoningExtra, model);
    if (!asking.routing.mayHaveOther) return;
    this.#controller = new AbortController();
    asking.signal.addEventListener("abort", this.#onGone);
    const { limits } = asking;
    this.#within(limits.isStream ? this.#counts.firstByte.limitMs(limits.firstByteMs) : limits.wholeMs);
  }

  get signal(): AbortSignal {
    return this.#controller?.signal ?? this.#asking.signal;
  }

  get tookMs(): number {
    return performance.now() - this.#askedAtMs;
  }

  get isGivenUp(): boolean {
    return this.signal.reason instanceof GivenUpError;
  }

  /** Nobody is left who could be asked in its place. */
  get isLast(): boolean {
    return !this.#asking.routing.mayHaveOther;
  }

  /** Its head has come, and claims success. */
  begin(reply: UpstreamReply): this {
    this.reply = reply;
    const { tookMs } = this;
    this.#counts.answers += 1;
    this.#counts.headMs += tookMs;
    const { limits } = this.#asking;
    if (!limits.isStream) return this;
    this.#counts.firstByte.note(tookMs);
    this.#within(this.#counts.firstToken.limitMs(limits.firstTokenMs) - tookMs);
    return this;
  }

  /** There is something in its reply. */
  accept(): void {
    const { routing, limits } = this.#asking;
    const { tookMs } = this;
    this.#counts.contents += 1;
    this.#counts.contentMs += tookMs;
    if (limits.isStream) this.#counts.firstToken.note(tookMs);
    clearTimeout(this.#timer);
    this.#isJudged = true;
    routing.succeeded(this.route);
  }

  /** It did not serve the request. Throws when nobody else would do better. */
  refuse(problem: Problem, failure: Omit<Failure, "problem" | "tookMs" | "isGivenUp"> = {}): void {
    const { routing, gateway, meter, signal, onAbandoned } = this.#asking;
    const { isGivenUp, tookMs } = this;
    meter.forget();
    this.#isJudged = !signal.aborted;
    this.end();
    signal.throwIfAborted();
    this.outcome = isGivenUp ? "too_slow" : problem.kind;
    const { upstream } = this.route;
    gateway.log.warn(
      { upstream: upstream.name, error: String(problem.cause ?? problem) },
      "an upstream did not serve a request",
    );
    if (isGivenUp) this.#takeLonger();
    if (isGivenUp) onAbandoned(this.route);
    routing.failed(this.route, { ...failure, problem, isGivenUp, tookMs });
  }

  /** Nothing more of it is wanted. */
  end(): void {
    clearTimeout(this.#timer);
    this.release();
    this.reply?.cancel();
  }

  /** From here on nobody waits for its caller, and it ends by itself. */
  release(): void {
    if (this.#controller) this.#asking.signal.removeEventListener("abort", this.#onGone);
    // Nothing is known about it, and the next request is the trial.
    if (!this.#isJudged) this.#asking.routing.dropped(this.route);
    this.#isJudged = true;
  }

  /** What usually takes less may take longer from now on: as TCP does, the next one waits twice as long. */
  #takeLonger(): void {
    if (!this.#asking.limits.isStream) return;
    const pace = this.reply ? this.#counts.firstToken : this.#counts.firstByte;
    pace.note(2 * this.tookMs);
  }

  #within(ms: number): void {
    clearTimeout(this.#timer);
    if (!this.#controller || !Number.isFinite(ms)) return;
    this.#timer = setTimeout(() => {
      if (this.#asking.routing.hasOther) this.#controller?.abort(new GivenUpError("another upstream is free"));
      else this.#within(lookAgainMs);
    }, ms);
  }
}

/** Asks one upstream after another until a reply claims success. Throws when nobody can serve the request, or the caller has gone. */
export async function askNext(asking: Asking, trail: Attempt[]): Promise<Attempt> {
  const { routing, calls, signal } = asking;
  for (;;) {
    const { target: route, waitMs } = routing.next();
    if (waitMs > 0) await pause(waitMs, signal);
    let call = signal.aborted ? undefined : calls.callFor(route);
    if (!call) routing.dropped(route);
    signal.throwIfAborted();
    while (call) {
      const attempt = new Attempt(asking, route);
      trail.push(attempt);
      const other = await tryOnce(attempt, call, (problem, isMissing) =>
        isMissing ? calls.anotherWay?.(route) : calls.plainer?.(route, problem),
      );
      if (other === "served") return attempt;
      call = other;
    }
  }
}

/** Returns another way to ask the same upstream, where there is one. */
async function tryOnce(
  attempt: Attempt,
  call: UpstreamCall,
  anotherWay: (problem: Problem, isMissing: boolean) => UpstreamCall | undefined,
): Promise<"served" | UpstreamCall | undefined> {
  const { upstream } = attempt.route;
  let reply: UpstreamReply;
  try {
    reply = await upstream.client.ask(call, attempt.signal);
  } catch (cause) {
    attempt.refuse(new Problem("upstream_failed", "The upstream gateway cannot be reached.", { cause }));
    return undefined;
  }
  const { status } = reply;
  if (status >= 200 && status < 300) {
    attempt.begin(reply);
    return "served";
  }
  const problem = await readProblem(upstream, reply);
  const other = anotherWay(problem, lacksPath(status, problem));
  if (other) attempt.end();
  else attempt.refuse(problem, { status });
  return other;
}

/** There is nothing at the path, whatever the model. */
function lacksPath(status: number, { kind }: Problem): boolean {
  return (status === 404 && kind === "not_found") || status === 405 || status === 501;
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch(() => {});
}
