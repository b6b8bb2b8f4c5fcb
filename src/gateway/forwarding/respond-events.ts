import { readUsage } from "../charging/read-usage.ts";
import type { Gateway } from "../gateway.ts";
import { isObject, type Json } from "../upstreams/kinds/kind.ts";
import { withoutTraces } from "../upstreams/upstream-problem.ts";
import { EventFilter, type Verdict } from "./event-filter.ts";
import { hideBilling } from "./hide-billing.ts";
import { Outlet, type Recorder, type ReplyWay } from "./outlet.ts";
import { estimateProduced } from "./settle-unknown.ts";
import type { Started } from "./start-request.ts";

export interface EventReply {
  /** The client asked for usage, or its dialect always has it. */
  showsUsage: boolean;
  /** The dialect ends with `data: [DONE]`. */
  saysDone: boolean;
  inputBytes: number;
  recorder?: Recorder | undefined;
}

/** How long, and how many at once, streams are read on after their client has gone. */
const longestDrainMs = 30_000;
const mostDrains = 256;
let drains = 0;

/** Passes a stream of events on as it comes, at the pace of the client, and settles it however it ends. */
export function respondEvents<Reply extends ReplyWay>(
  gateway: Gateway,
  reply: Reply,
  started: Started,
  options: EventReply,
): Reply {
  const { live, meter, route } = started;
  const { kind } = route.upstream;
  const outlet = new Outlet(reply, options.recorder);
  let reference: string | undefined;
  let isOver = false;
  let isGone = outlet.isGone;
  let isCut = false;
  let lastDataMs = gateway.clock.now();
  const filter = new EventFilter({
    hidesUsage: !options.showsUsage,
    judge,
    onFirst(event) {
      reference = idOf(event);
      if (reference && kind.generationPath) meter.remark(reference);
    },
    onDone: settleComplete,
  });

  outlet.start(200, {
    "content-type": live.header("content-type") ?? "text/event-stream; charset=utf-8",
    "cache-control": "no-cache, no-transform",
    "x-accel-buffering": "no",
  });
  const pings = setInterval(() => {
    if (gateway.clock.now() - lastDataMs >= gateway.pingMs) outlet.write(": ping\n\n");
  }, gateway.pingMs);
  let drainTimer: NodeJS.Timeout | undefined;
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
      if (isGone) {
        // Only its name was missing; now its cost can be asked for.
        if (reference && kind.afterHangUp === "look-up") cut();
        return;
      }
      if (out && !outlet.write(out, () => live.resume())) live.pause();
    },
    onEnd() {
      const rest = filter.rest();
      if (rest && !isGone) outlet.write(rest);
      if (isGone) return settleGone();
      if (filter.isDone || filter.isFinished) {
        settleComplete();
        // The model was done and only the marker is missing.
        const marker = options.saysDone && !filter.isDone ? "data: [DONE]\n\n" : undefined;
        finish(marker);
        outlet.complete();
      } else breakOff();
    },
    onFailure() {
      if (isGone) settleGone();
      else breakOff();
    },
  });
  return reply;

  function judge(event: Json): Verdict {
    const reading = readUsage(event);
    if (reading) meter.observe(reading);
    const cost = meter.cost();
    const charge = cost ? meter.chargeFor(cost.cost, cost.source) : undefined;
    // The model is done, and no higher cost can come; what the client reads is what is charged.
    if (cost?.source === "reported" && filter.isFinished) meter.settle(cost.cost, cost.source);
    const isChanged = hideBilling(event, charge);
    const isHidden = !options.showsUsage && isObject(event.usage);
    if (isHidden) delete event.usage;
    if (isObject(event.error) || typeof event.error === "string") return explain(event);
    // The responses' dialect says it without a member of its own, or deeper.
    if (event.type === "error") return reword(event);
    if (isObject(event.response) && isObject(event.response.error)) {
      return { ...event, response: { ...event.response, error: reword(event.response.error) } };
    }
    if (isHidden && Array.isArray(event.choices) && event.choices.length === 0) return "drop";
    return isChanged || isHidden ? event : "keep";
  }

  function reword(failure: Json): Json {
    isCut = true;
    const { message } = failure;
    return typeof message === "string" ? { ...failure, message: withoutTraces(message, route.upstream) } : failure;
  }

  /** An upstream's error in the middle of a stream, in our words. */
  function explain(event: Json): Json {
    filter.isFinished = false;
    const given = isObject(event.error) ? event.error.message : event.error;
    const message = typeof given === "string" ? withoutTraces(given, route.upstream) : "The upstream gateway failed.";
    const error = { message, type: "upstream_error", param: null, code: 503 };
    isCut = true;
    // OpenRouter ends the choice with the same event.
    if (event.choices !== undefined) return { ...event, error };
    return { ...(typeof event.type === "string" ? { type: event.type } : {}), error };
  }

  function hangUp(): void {
    isGone = true;
    outlet.abandon();
    if (isOver) return;
    clearInterval(pings);
    if (kind.afterHangUp === "cancel" || drains >= mostDrains || (kind.afterHangUp === "look-up" && reference)) {
      cut();
      return;
    }
    drains += 1;
    live.resume();
    drainTimer = setTimeout(cut, longestDrainMs);
  }

  function cut(): void {
    live.abort();
    settleGone();
  }

  /** The client is gone: charged is what was produced until the upstream was stopped. */
  function settleGone(): void {
    if (isOver) return;
    end();
    settlePart();
  }

  function settlePart(): void {
    if (filter.isDone || filter.isFinished || meter.reading?.cost !== undefined) settleComplete();
    else if (filter.events === 0) meter.release();
    else lookUpOrEstimate();
  }

  function settleComplete(): void {
    const known = meter.cost();
    if (known) meter.settle(known.cost, known.source);
    else lookUpOrEstimate();
  }

  function lookUpOrEstimate(): void {
    const produced = Math.max(filter.events - 1, Math.ceil(filter.contentBytes / 4));
    const estimate = () => estimateProduced(meter, options.inputBytes, produced);
    const needsLookUp = kind.generationPath !== undefined && reference !== undefined && !meter.isOver;
    if (needsLookUp) gateway.lookUps.start(route.upstream, reference!, meter, estimate);
    else estimate();
  }

  /** The upstream died in the middle: the client learns it, and pays for what it got. */
  function breakOff(): void {
    if (isOver) return;
    live.abort();
    outlet.abandon();
    settlePart();
    const error = {
      message: "The upstream gateway broke off the stream.",
      type: "upstream_error",
      param: null,
      code: 503,
    };
    finish(isCut ? undefined : `data: ${JSON.stringify({ error })}\n\n`);
  }

  function finish(last: string | undefined): void {
    end();
    if (last !== undefined) outlet.end(last);
    else outlet.end();
  }

  function end(): void {
    isOver = true;
    clearInterval(pings);
    if (drainTimer) {
      clearTimeout(drainTimer);
      drains -= 1;
    }
  }
}

/** Chat chunks carry it themselves, responses and messages one level down. */
function idOf(event: Json): string | undefined {
  for (const place of [event, event.response, event.message]) {
    if (isObject(place) && typeof place.id === "string" && place.id !== "") return place.id;
  }
  return undefined;
}
