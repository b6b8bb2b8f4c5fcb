import { Problem } from "../../platform/errors.ts";
import { renderProblem } from "../../platform/http/dialect.ts";
import { toProblem } from "../../platform/http/to-problem.ts";
import { writeEvent } from "../dialects/dialect.ts";
import type { EventTranslator } from "../dialects/translate.ts";
import type { Json } from "../json.ts";
import type { RequestContext } from "./context.ts";
import type { HeaderList } from "./outlet.ts";
import { costHeaders, type Replying, replyHeaders } from "./replying.ts";
import { settle, settleUnheard } from "./settle.ts";
import { errorsOf, StreamReader } from "./stream-reader.ts";
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
  const { gateway, outlet } = replying.context;
  const pings = setInterval(() => {
    // Whatever comes before the first word, its caller hears nothing of it.
    const isQuiet = !outlet.isStarted || gateway.clock.now() - driver.lastDataMs >= gateway.pingMs;
    if (isQuiet) driver.feed({ type: "quiet" });
  }, gateway.pingMs);
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
  readonly #reader: StreamReader<Wanted>;
  readonly #translator: EventTranslator | undefined;
  #state = newStream;
  /** What came before the model's first word. */
  #early: Buffer[] = [];
  /** Why the stream was refused. */
  #cause: unknown;
  #isRefused = false;

  constructor(replying: Replying<Wanted>) {
    this.#replying = replying;
    this.#reader = new StreamReader(replying);
    const { translation } = replying.body;
    this.#translator = translation?.stream?.(this.#reader.options.translatesUsage);
    this.lastDataMs = replying.context.gateway.clock.now();
  }

  async run(): Promise<Problem | undefined> {
    const { reply } = this.#replying.attempt;
    const { outlet, gateway } = this.#replying.context;
    const { filter } = this.#reader;
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
      this.#cause = error;
      this.feed({ type: "broke" });
    }
    return this.#isRefused ? this.#reader.problem(this.#cause) : undefined;
  }

  feed(event: StreamEvent, out?: Buffer): void {
    const { state, actions } = nextStreamState(this.#state, event, this.#reader.seen);
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
        this.#start(replyHeaders(this.#replying));
        for (const bytes of this.#early) this.#write(bytes);
        this.#early = [];
        return;
      case "pass":
        if (out) this.#write(out);
        return;
      case "ping":
        // A caller that hears nothing for longer would give up. Who serves it is not known while another one may be asked.
        this.#start(attempt.isLast ? replyHeaders(this.#replying) : costHeaders(meter));
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
        this.#finish(this.#reader.options.saysDone && !this.#reader.filter.isDone ? "data: [DONE]\n\n" : undefined);
        outlet.complete();
        return;
      case "finish-broken":
        outlet.abandon();
        this.#finish(this.#reader.isCut ? undefined : this.#brokenOff());
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

  #start(about: HeaderList): void {
    const { context, attempt } = this.#replying;
    if (context.outlet.isStarted) return;
    const type = attempt.reply.header("content-type") ?? "text/event-stream; charset=utf-8";
    context.outlet.start(200, ["content-type", type, ...unbuffered, ...about]);
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

  #settlePart(): void {
    const { context, attempt, meter } = this.#replying;
    const { isDone, isFinished, written } = this.#reader.filter;
    const isGone = context.request.signal.aborted;
    const isTold = meter.reading?.cost !== undefined || ((isDone || isFinished) && !this.#reader.isCut);
    if (isTold) this.#settleWhole();
    else if (written.isEmpty && !(isGone && attempt.route.upstream.kind.billsOn)) meter.release();
    // What was told so far is not all of it, so it is looked up or estimated.
    else this.#settle(true);
  }

  #settleWhole(): void {
    if (this.#reader.filter.hasContent) this.#settle(false);
    else this.#replying.meter.release();
  }

  #settle(isPart: boolean): void {
    const { context, attempt, meter } = this.#replying;
    const outputTokens = () => this.#reader.filter.written.tokens;
    settle(context, attempt.route, meter, { reference: this.#reader.reference, outputTokens, isPart });
  }

  #brokenOff(): string {
    const problem = new Problem("upstream_failed", "The upstream gateway broke off the stream.");
    const told = renderProblem(this.#reader.options.errors, problem).body as Json;
    return writeEvent(told, told.type as string | undefined);
  }
}
