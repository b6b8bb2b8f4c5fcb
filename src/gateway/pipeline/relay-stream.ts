import { Problem } from "../../platform/errors.ts";
import { renderProblem } from "../../platform/http/dialect.ts";
import { toProblem } from "../../platform/http/to-problem.ts";
import { readUsage } from "../charging/read-usage.ts";
import { gatewayDialect } from "../dialect.ts";
import { writeEvent } from "../dialects/dialect.ts";
import type { EventTranslator } from "../dialects/translate.ts";
import { isObject, type Json } from "../json.ts";
import { nothingInside } from "../upstreams/upstream-problem.ts";
import type { RequestContext } from "./context.ts";
import { EventFilter, type Verdict } from "./event-filter.ts";
import { hideBilling, rewordEvent } from "./redact.ts";
import { type Replying, replyHeaders } from "./replying.ts";
import { settle, settleUnheard } from "./settle.ts";
import { newStream, nextStreamState, type StreamAction, type StreamEvent } from "./stream-state.ts";

const unbuffered = ["cache-control", "no-cache, no-transform", "x-accel-buffering", "no"];
/** Upstreams end their reply with its last event, and the connection is used again. Whoever has not by then is cut off. A guess. */
const longestEndingMs = 1_000;

/** Passes a stream of events on as it comes, at the pace of the caller, and settles it however it ends. */
export async function relayStream<Wanted extends { model: string }>(
  replying: Replying<Wanted>,
): Promise<Problem | undefined> {
  const driver = new StreamDriver(replying);
  const { signal } = replying.context.request;
  const onGone = () => driver.feed({ type: "hung-up" });
  signal.addEventListener("abort", onGone);
  const { clock, pingMs } = replying.context.gateway;
  const pings = setInterval(() => {
    if (clock.now() - driver.lastDataMs >= pingMs) driver.feed({ type: "quiet" });
  }, pingMs);
  try {
    if (signal.aborted) onGone();
    return await driver.run();
  } finally {
    clearInterval(pings);
    signal.removeEventListener("abort", onGone);
  }
}

/** Says of a stream that has begun, with nothing but comments in it, that nobody could serve it. */
export function tellFailure<Wanted extends { model: string }>(context: RequestContext<Wanted>, error: unknown): void {
  const told = renderProblem(errorsOf(context, false), toProblem(error)).body as Json;
  context.outlet.end(writeEvent(told, told.type as string | undefined));
}

/** Does what `nextStreamState` decides. */
class StreamDriver<Wanted extends { model: string }> {
  lastDataMs: number;
  readonly #replying: Replying<Wanted>;
  readonly #options: StreamOptions;
  readonly #translator: EventTranslator | undefined;
  readonly #filter: EventFilter;
  #state = newStream;
  #reference: string | undefined;
  /** What came before the model's first word. */
  #early: Buffer[] = [];
  #isCut = false;
  /** Why there is nothing in it. */
  #problem: Problem | undefined;
  #isRefused = false;

  constructor(replying: Replying<Wanted>) {
    this.#replying = replying;
    this.#options = optionsOf(replying);
    const { translation } = replying.body;
    this.#translator = translation?.stream?.(this.#options.translatesUsage);
    this.lastDataMs = replying.context.gateway.clock.now();
    this.#filter = new EventFilter({
      hidesUsage: !this.#options.showsUsage,
      judge: (event, text) => this.#judge(event, text),
      onFirst: (event) => this.#remark(event),
    });
  }

  async run(): Promise<Problem | undefined> {
    const { reply } = this.#replying.attempt;
    const { outlet, gateway } = this.#replying.context;
    const filter = this.#filter;
    try {
      while (this.#state.phase !== "over") {
        const chunk = await reply.read();
        this.lastDataMs = gateway.clock.now();
        const out = chunk ? filter.push(chunk) : filter.rest();
        if (chunk && !filter.isDone) this.feed({ type: "chunk", bytes: chunk.length }, out);
        else this.feed({ type: "ended" }, out);
        if (outlet.isFull) await outlet.room();
      }
    } catch (error) {
      if (!this.#filter.hasContent) this.#problem ??= nothingInside("a stream with nothing in it", error);
      this.feed({ type: "broke" });
    }
    return this.#isRefused ? (this.#problem ?? nothingInside("a stream with nothing in it")) : undefined;
  }

  feed(event: StreamEvent, out?: Buffer): void {
    const { hasBegun, hasContent, isDone, isFinished } = this.#filter;
    const seen = { hasBegun, hasContent, isFinished: isDone || isFinished, isCut: this.#isCut };
    const { state, actions } = nextStreamState(this.#state, event, seen);
    this.#state = state;
    for (const action of actions) this.#act(action, out);
  }

  #act(action: StreamAction, out: Buffer | undefined): void {
    const { context, attempt, meter } = this.#replying;
    const { outlet } = context;
    switch (action) {
      case "keep":
        if (out) this.#early.push(out);
        return;
      case "start":
        attempt.accept();
        this.#start();
        for (const bytes of this.#early) this.#write(bytes);
        this.#early = [];
        return;
      case "pass":
        if (out) this.#write(out);
        return;
      case "ping":
        // A caller that hears nothing for longer would give up.
        this.#start();
        outlet.write(": ping\n\n");
        return;
      case "refuse":
        this.#isRefused = true;
        return;
      case "settle-whole":
        this.#settleWhole();
        return;
      case "settle-part":
        this.#settlePart();
        return;
      case "settle-unheard":
        settleUnheard(context, attempt.route, meter);
        return;
      case "finish":
        // The model was done and only the marker is missing.
        this.#finish(this.#options.saysDone && !this.#filter.isDone ? "data: [DONE]\n\n" : undefined);
        outlet.complete();
        return;
      case "finish-broken":
        outlet.abandon();
        this.#finish(this.#isCut ? undefined : this.#brokenOff());
        return;
      case "abandon":
        outlet.abandon();
        return;
      case "cancel":
        attempt.end();
        return;
      case "drain":
        void this.#drain();
    }
  }

  #start(): void {
    const { context, attempt } = this.#replying;
    if (context.outlet.isStarted) return;
    const type = attempt.reply.header("content-type") ?? "text/event-stream; charset=utf-8";
    context.outlet.start(200, ["content-type", type, ...unbuffered, ...replyHeaders(this.#replying)]);
  }

  #write(bytes: Buffer): void {
    this.#replying.context.outlet.write(this.#translator ? this.#translator.push(bytes) : bytes);
  }

  #finish(last: string | undefined): void {
    const translator = this.#translator;
    const said = translator ? (last === undefined ? "" : translator.push(last)) + translator.end() : last;
    this.#replying.context.outlet.end(said);
  }

  async #drain(): Promise<void> {
    const { reply } = this.#replying.attempt;
    const timer = setTimeout(() => reply.cancel(), longestEndingMs);
    try {
      while (await reply.read());
    } catch {
      // What follows the end is nobody's business.
    } finally {
      clearTimeout(timer);
    }
  }

  #remark(event: Json): void {
    const { attempt, meter } = this.#replying;
    this.#reference = idOf(event);
    if (this.#reference && attempt.route.upstream.kind.generationPath) meter.remark(this.#reference);
  }

  #judge(event: Json, text: string): Verdict {
    const { attempt, meter } = this.#replying;
    const filter = this.#filter;
    const { showsUsage } = this.#options;
    const isFailure = isObject(event.error) || typeof event.error === "string";
    if (isFailure) filter.isFinished = false;
    const reading = readUsage(event);
    if (reading) meter.observe(reading);
    const cost = meter.cost();
    const charge = cost ? meter.chargeFor(cost.cost, cost.source) : undefined;
    const hidesUsage = !showsUsage && event.usage !== undefined;
    // Anthropic's streams tell it before they say that they are done.
    const isLast = filter.isFinished || event.type === "message_delta";
    const tellsCost = this.#options.tellsCost && reading !== undefined && isLast;
    // The model is done, and no higher cost can come; what the caller reads is what is charged.
    if (cost && (tellsCost || (cost.source === "reported" && filter.isFinished))) meter.settle(cost.cost, cost.source);
    const shown = hideBilling(text, event, charge, { hidesUsage, tellsCost });
    const seen = shown === text ? event : (JSON.parse(shown) as Json);
    const failure = rewordEvent(seen, attempt.route.upstream, this.#options.errors);
    if (failure) {
      this.#isCut = true;
      this.#problem ??= failure.problem;
      return { data: JSON.stringify(failure.event) };
    }
    if (hidesUsage && Array.isArray(event.choices) && event.choices.length === 0) return "drop";
    return shown === text ? "keep" : { data: shown };
  }

  #settlePart(): void {
    const { context, attempt, meter } = this.#replying;
    const { isDone, isFinished, written } = this.#filter;
    const isGone = context.request.signal.aborted;
    const isTold = meter.reading?.cost !== undefined || ((isDone || isFinished) && !this.#isCut);
    if (isTold) this.#settleWhole();
    else if (written.isEmpty && !(isGone && attempt.route.upstream.kind.billsOn)) meter.release();
    // What was told so far is not all of it, so it is looked up or estimated.
    else this.#settle(true);
  }

  #settleWhole(): void {
    if (this.#filter.hasContent) this.#settle(false);
    else this.#replying.meter.release();
  }

  #settle(isPart: boolean): void {
    const { context, attempt, meter } = this.#replying;
    const outputTokens = () => this.#filter.written.tokens;
    settle(context, attempt.route, meter, { reference: this.#reference, outputTokens, isPart });
  }

  #brokenOff(): string {
    const problem = new Problem("upstream_failed", "The upstream gateway broke off the stream.");
    const told = renderProblem(this.#options.errors, problem).body as Json;
    return writeEvent(told, told.type as string | undefined);
  }
}

type StreamOptions = ReturnType<typeof optionsOf>;

function optionsOf<Wanted extends { model: string }>({ context, attempt, body }: Replying<Wanted>) {
  const { endpoint, request, gateway } = context;
  const { isChat = false } = endpoint;
  const { stream_options: options } = request.body as Json;
  const asksCost = request.headers["x-svc-usage-cost"] === "1";
  const asked = asksCost || (isObject(options) && options.include_usage === true);
  const isTranslated = body.translation !== undefined;
  return {
    /** The caller asked for usage, or its dialect always has it. */
    showsUsage: !isChat || asked || attempt.route.upstream.kind.alwaysTellsUsage === true,
    translatesUsage: !isChat || asked,
    /** The dialect ends with `data: [DONE]`. */
    saysDone: isChat || isTranslated,
    /** Adds the cost to the last usage, where that has none. What is put into other words anyway need not stay byte for byte. */
    tellsCost: gateway.tellsCost || asksCost || isTranslated,
    errors: errorsOf(context, isTranslated),
  };
}

/** What is put into other words is chat before. */
function errorsOf<Wanted extends { model: string }>({ endpoint }: RequestContext<Wanted>, isTranslated: boolean) {
  return (isTranslated ? undefined : endpoint.errors) ?? gatewayDialect;
}

/** Chat chunks carry it themselves, responses and messages one level down. */
function idOf(event: Json): string | undefined {
  for (const place of [event, event.response, event.message]) {
    if (isObject(place) && typeof place.id === "string" && place.id !== "") return place.id;
  }
  return undefined;
}
