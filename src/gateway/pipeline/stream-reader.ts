import type { Problem } from "../../platform/errors.ts";
import { readUsage } from "../charging/read-usage.ts";
import { gatewayDialect } from "../dialect.ts";
import { isObject, type Json } from "../json.ts";
import { nothingInside } from "../upstreams/upstream-problem.ts";
import type { RequestContext } from "./context.ts";
import { EventFilter, type Verdict } from "./event-filter.ts";
import { hideBilling, rewordEvent } from "./redact.ts";
import type { Replying } from "./replying.ts";
import type { Seen } from "./stream-state.ts";

/** Reads the events of a stream on their way: what they say of usage, cost and failures, and what of it the caller may see. */
export class StreamReader<Wanted extends { model: string }> {
  readonly options: StreamOptions;
  readonly filter: EventFilter;
  /** The upstream's name for the request. */
  reference: string | undefined;
  isCut = false;
  readonly #replying: Replying<Wanted>;
  #problem: Problem | undefined;

  constructor(replying: Replying<Wanted>) {
    this.#replying = replying;
    this.options = optionsOf(replying);
    this.filter = new EventFilter({
      hidesUsage: !this.options.showsUsage,
      judge: (event, text) => this.#judge(event, text),
      onFirst: (event) => this.#remark(event),
    });
  }

  get seen(): Seen {
    const { hasBegun, hasContent, isDone, isFinished } = this.filter;
    return { hasBegun, hasContent, isFinished: isDone || isFinished, isCut: this.isCut };
  }

  /** Why there is nothing in it. */
  problem(cause?: unknown): Problem {
    return this.#problem ?? nothingInside("a stream with nothing in it", cause);
  }

  #remark(event: Json): void {
    const { attempt, meter } = this.#replying;
    this.reference = idOf(event);
    if (this.reference && attempt.route.upstream.kind.generationPath) meter.remark(this.reference);
  }

  #judge(event: Json, text: string): Verdict {
    const { attempt, meter } = this.#replying;
    const filter = this.filter;
    const { showsUsage } = this.options;
    const isFailure = isObject(event.error) || typeof event.error === "string";
    if (isFailure) filter.isFinished = false;
    const reading = readUsage(event);
    if (reading) meter.observe(reading);
    const cost = meter.cost();
    const charge = cost ? meter.chargeFor(cost.cost, cost.source) : undefined;
    const hidesUsage = !showsUsage && event.usage !== undefined;
    // Anthropic's streams tell it before they say that they are done.
    const isLast = filter.isFinished || event.type === "message_delta";
    const tellsCost = this.options.tellsCost && reading !== undefined && isLast;
    // The model is done, and no higher cost can come; what the caller reads is what is charged.
    if (cost && (tellsCost || (cost.source === "reported" && filter.isFinished))) meter.settle(cost.cost, cost.source);
    const shown = hideBilling(text, event, charge, { hidesUsage, tellsCost });
    const seen = shown === text ? event : (JSON.parse(shown) as Json);
    const failure = rewordEvent(seen, attempt.route.upstream, this.options.errors);
    if (failure) {
      this.isCut = true;
      this.#problem ??= failure.problem;
      return { data: JSON.stringify(failure.event) };
    }
    if (hidesUsage && Array.isArray(event.choices) && event.choices.length === 0) return "drop";
    return shown === text ? "keep" : { data: shown };
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
export function errorsOf<Wanted extends { model: string }>(
  { endpoint }: RequestContext<Wanted>,
  isTranslated: boolean,
) {
  return (isTranslated ? undefined : endpoint.errors) ?? gatewayDialect;
}

/** Chat chunks carry it themselves, responses and messages one level down. */
function idOf(event: Json): string | undefined {
  for (const place of [event, event.response, event.message]) {
    if (isObject(place) && typeof place.id === "string" && place.id !== "") return place.id;
  }
  return undefined;
}
