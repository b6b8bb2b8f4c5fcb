import { Problem } from "../../platform/errors.ts";
import { type Dialect as ErrorDialect, renderProblem } from "../../platform/http/dialect.ts";
import { readUsage } from "../charging/read-usage.ts";
import { writeEvent } from "../dialects/dialect.ts";
import type { Gateway } from "../gateway.ts";
import { isObject, type Json } from "../upstreams/kinds/kind.ts";
import { nothingInside, problemInside, withoutTraces } from "../upstreams/upstream-problem.ts";
import type { Started } from "./asking.ts";
import { EventFilter, type Verdict } from "./event-filter.ts";
import { hideBilling } from "./hide-billing.ts";
import { costHeaders } from "./open-meter.ts";
import { Outlet, type Recorder, type ReplyWay, type Translator } from "./outlet.ts";
import { estimateProduced } from "./settle-unknown.ts";

export interface EventReply {
  /** The client asked for usage, or its dialect always has it. */
  showsUsage: boolean;
  /** Adds the cost to the last usage, where that has none. */
  tellsCost: boolean;
  /** The dialect ends with `data: [DONE]`. */
  saysDone: boolean;
  /** What the model read, for streams that do not tell. */
  inputTokens(): number;
  recorder?: Recorder | undefined;
  /** For clients that speak another dialect than the upstream. */
  translator?: Translator | undefined;
  /** How its errors look. */
  errors: ErrorDialect;
  /** Charges where the upstream tells nothing and the model is not billed by tokens, or says false. */
  settle(): boolean;
}

const unbuffered = ["cache-control", "no-cache, no-transform", "x-accel-buffering", "no"];
/** Upstreams end their reply with its last event, and the connection is used again. Whoever has not by then is cut off. A guess. */
const longestEndingMs = 1_000;
/** More than any stream says before its first word. A guess. */
const mostEarlyBytes = 65_536;

/** Passes a stream of events on as it comes, at the pace of the client, and settles it however it ends. The head waits for the
 *  model's first word, so that an upstream which has only an error to say can be replaced by another: done when the head has left. */
export function respondEvents(
  gateway: Gateway,
  reply: ReplyWay,
  started: Started,
  options: EventReply,
): Promise<Problem | undefined> {
  return new Promise((resolve, reject) => passEvents(gateway, reply, started, options, { resolve, reject }));
}

/** Who waits for the head. */
interface Awaiter {
  resolve(problem: Problem | undefined): void;
  /** The caller hung up before there was anything. */
  reject(reason: unknown): void;
}

function passEvents(gateway: Gateway, reply: ReplyWay, started: Started, options: EventReply, awaiter: Awaiter): void {
  const { live, meter, route, hangUp: caller } = started;
  const { kind } = route.upstream;
  const outlet = new Outlet(reply, options.recorder, options.translator);
  let reference: string | undefined;
  let isOver = false;
  let isGone = outlet.isGone;
  let isCut = false;
  /** What the upstream said went wrong. */
  let problem: Problem | undefined;
  /** What came before the model's first word. */
  let early: Buffer[] = [];
  let earlyBytes = 0;
  let lastDataMs = gateway.clock.now();
  const filter = new EventFilter({
    hidesUsage: !options.showsUsage,
    judge,
    onFirst(event) {
      reference = idOf(event);
      if (reference && kind.generationPath) meter.remark(reference);
    },
    onDone() {
      if (isCut) settlePart();
      else if (filter.hasContent) settleComplete();
    },
  });

  const pings = setInterval(() => {
    if (gateway.clock.now() - lastDataMs < gateway.pingMs && outlet.isStarted) return;
    // A client that hears nothing for longer would give up; from here on there is no other upstream.
    begin();
    outlet.write(": ping\n\n");
  }, gateway.pingMs);
  let ending: NodeJS.Timeout | undefined;
  outlet.onGone(hangUp);
  if (isGone) hangUp();

  live.read({
    onData(chunk) {
      lastDataMs = gateway.clock.now();
      if (isOver) return;
      let out: Buffer | undefined;
      try {
        out = filter.push(chunk);
      } catch {
        return breakOff();
      }
      if (filter.isDone) return endWith(out);
      if (!outlet.isStarted) {
        if (isCut) return refuse();
        if (!filter.hasContent && earlyBytes < mostEarlyBytes) {
          if (out) early.push(out);
          earlyBytes += chunk.length;
          return;
        }
        begin();
      }
      if (out && !outlet.write(out, () => live.resume())) live.pause();
    },
    onEnd() {
      clearTimeout(ending);
      const rest = filter.rest();
      if (!isOver) endWith(rest);
    },
    onFailure() {
      clearTimeout(ending);
      breakOff();
    },
  });

  /** The stream is over: `last` is what is left of it. Whatever the upstream does after its marker is nobody's business. */
  function endWith(last: Buffer | undefined): void {
    if (!outlet.isStarted && (isCut || !filter.hasContent)) {
      refuse();
      return;
    }
    begin();
    if (last) outlet.write(last);
    if (!isFinished() || isCut) {
      breakOff();
      return;
    }
    settleComplete();
    // The model was done and only the marker is missing.
    finish(options.saysDone && !filter.isDone ? "data: [DONE]\n\n" : undefined);
    outlet.complete();
    if (!filter.isDone) return;
    live.resume();
    ending = setTimeout(() => live.abort(), longestEndingMs);
  }

  function begin(): void {
    if (outlet.isStarted) return;
    const type = live.header("content-type") ?? "text/event-stream; charset=utf-8";
    outlet.start(200, ["content-type", type, ...unbuffered, ...costHeaders(meter)]);
    for (const bytes of early) outlet.write(bytes);
    early = [];
    awaiter.resolve(undefined);
  }

  /** Nothing has reached the client, and nothing is charged. */
  function refuse(): void {
    if (isOver) return;
    end();
    live.abort();
    awaiter.resolve(problem ?? nothingInside("a stream with nothing in it"));
  }

  function judge(event: Json, text: string): Verdict {
    const isFailure = isObject(event.error) || typeof event.error === "string";
    if (isFailure) filter.isFinished = false;
    const reading = readUsage(event);
    if (reading) meter.observe(reading);
    const cost = meter.cost();
    const charge = cost ? meter.chargeFor(cost.cost, cost.source) : undefined;
    const hidesUsage = !options.showsUsage && event.usage !== undefined;
    // Anthropic's streams tell it before they say that they are done.
    const tellsCost =
      options.tellsCost && reading !== undefined && (filter.isFinished || event.type === "message_delta");
    // The model is done, and no higher cost can come; what the client reads is what is charged.
    if (cost && (tellsCost || (cost.source === "reported" && filter.isFinished))) meter.settle(cost.cost, cost.source);
    const shown = hideBilling(text, event, charge, { hidesUsage, tellsCost });
    if (isFailure || isErrorEvent(event)) {
      const seen = shown === text ? event : (JSON.parse(shown) as Json);
      return { data: JSON.stringify(isFailure ? explain(seen) : rewordInside(seen)) };
    }
    if (hidesUsage && Array.isArray(event.choices) && event.choices.length === 0) return "drop";
    return shown === text ? "keep" : { data: shown };
  }

  /** The responses' dialect says it without a member of its own, or deeper. */
  function rewordInside(event: Json): Json {
    if (event.type === "error") return reword(event);
    const { response } = event as { response: Json };
    return { ...event, response: { ...response, error: reword(response.error as Json) } };
  }

  function reword(failure: Json): Json {
    isCut = true;
    problem ??= problemInside(route.upstream, { error: failure });
    const { message } = failure;
    return typeof message === "string" ? { ...failure, message: withoutTraces(message, route.upstream) } : failure;
  }

  /** An upstream's error in the middle of a stream, in our words. */
  function explain(event: Json): Json {
    const given = isObject(event.error) ? event.error.message : event.error;
    const message = typeof given === "string" ? withoutTraces(given, route.upstream) : "The upstream gateway failed.";
    const told = failure(message);
    problem ??= problemInside(route.upstream, event);
    isCut = true;
    // OpenRouter ends the choice with the same event.
    if (event.choices !== undefined) return { ...event, ...told };
    return { ...(typeof event.type === "string" ? { type: event.type } : {}), ...told };
  }

  function failure(message: string): Json {
    return renderProblem(options.errors, new Problem("upstream_failed", message)).body as Json;
  }

  /** The client is gone, and the upstream is stopped: charged is what was produced until then. */
  function hangUp(): void {
    isGone = true;
    outlet.abandon();
    if (isOver) return;
    live.abort();
    end();
    if (filter.hasBegun) {
      settlePart();
      awaiter.resolve(undefined);
      return;
    }
    started.settleUnheard();
    if (!outlet.isStarted) awaiter.reject(caller.reason);
  }

  function settlePart(): void {
    if (meter.reading?.cost !== undefined || (isFinished() && !isCut)) settleComplete();
    else if (filter.written.isEmpty && !(isGone && kind.billsOn)) meter.release();
    else lookUpOrEstimate();
  }

  function isFinished(): boolean {
    return filter.isDone || filter.isFinished;
  }

  function settleComplete(): void {
    const known = meter.cost();
    if (!filter.hasContent) meter.release();
    else if (known) meter.settle(known.cost, known.source);
    else lookUpOrEstimate();
  }

  function lookUpOrEstimate(): void {
    const estimate = () => {
      if (!options.settle()) estimateProduced(meter, options.inputTokens(), filter.written.tokens);
    };
    const needsLookUp = kind.generationPath !== undefined && reference !== undefined && !meter.isOver;
    if (needsLookUp) gateway.lookUps.start(route.upstream, reference!, meter, estimate);
    else estimate();
  }

  /** The upstream died in the middle: the client learns it, and pays for what it got. */
  function breakOff(): void {
    if (isOver) return;
    if (!outlet.isStarted && (isCut || !filter.hasContent)) {
      refuse();
      return;
    }
    begin();
    live.abort();
    outlet.abandon();
    settlePart();
    const told = failure("The upstream gateway broke off the stream.");
    finish(isCut ? undefined : writeEvent(told, told.type as string | undefined));
  }

  function finish(last: string | undefined): void {
    end();
    if (last !== undefined) outlet.end(last);
    else outlet.end();
  }

  function end(): void {
    isOver = true;
    clearInterval(pings);
  }
}

/** The responses' dialect says it without a member of its own, or deeper. */
function isErrorEvent({ type, response }: Json): boolean {
  return type === "error" || (isObject(response) && isObject(response.error));
}

/** Chat chunks carry it themselves, responses and messages one level down. */
function idOf(event: Json): string | undefined {
  for (const place of [event, event.response, event.message]) {
    if (isObject(place) && typeof place.id === "string" && place.id !== "") return place.id;
  }
  return undefined;
}
