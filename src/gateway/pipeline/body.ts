import type { Hold } from "../../credits/books.ts";
import type { UpstreamCall } from "../../ports/model-upstream.ts";
import type { Route } from "../catalog/catalog.ts";
import { affordableTokens, type Estimate } from "../charging/estimate.ts";
import type { ListedModel } from "../charging/prices.ts";
import type { TranslatedDialect } from "../dialects/dialect.ts";
import type { Json } from "../json.ts";
import type { CallRequest } from "../upstreams/kinds/kind.ts";
import { callUpstream, ownName, pathOf } from "../upstreams/upstream.ts";
import type { Calls } from "./ask.ts";
import type { RequestContext } from "./context.ts";
import { editBody } from "./edit-body.ts";
import { type FormFor, formsFor } from "./raw-form.ts";

/** What chat completions call the limit of their output. */
export const chatLimits: readonly string[] = ["max_tokens", "max_completion_tokens"];

/** What goes to the upstreams of one request: the caller's own bytes, with as little changed as possible, or a chat completion in their
 *  place where an upstream knows nothing else. */
export class Body<Wanted extends { model: string }> implements Calls {
  /** The dialect that the last reply must be put into; undefined where it comes in the caller's own. */
  translation: TranslatedDialect | undefined;
  /** The limit of the output that was set here, to what the balance pays for. */
  setLimit: number | undefined;
  readonly #context: RequestContext<Wanted>;
  readonly #hold: Hold;
  readonly #estimate: Estimate;
  readonly #formFor: FormFor | undefined;

  constructor(context: RequestContext<Wanted>, hold: Hold, estimate: Estimate, formFor: FormFor | undefined) {
    this.#context = context;
    this.#hold = hold;
    this.#estimate = estimate;
    this.#formFor = formFor;
  }

  callFor(route: Route): UpstreamCall | undefined {
    const { endpoint, request } = this.#context;
    const { upstream } = route;
    const path = pathOf(upstream, endpoint.name);
    const lacks = path === undefined || upstream.lacks.has(endpoint.name);
    this.translation = lacks ? endpoint.dialect : undefined;
    if (this.translation) return this.#chat(this.translation, route);
    const shape = endpoint.ownShape?.(upstream);
    if (shape) return this.#call(route, shape.call(namedFor(route, request.body)));
    if (path === undefined) return undefined;
    if (this.#formFor) return this.#call(route, { path, ...this.#formFor(route) });
    const { isChat = false, outputLimits = [] } = endpoint;
    const body = request.body as Json;
    const outputTokens = this.#affordable(route, outputLimits);
    const model = ownName(upstream, route.model);
    const edits = { asksUsage: isChat && body.stream === true, model, outputTokens };
    const bytes = editBody(request.rawBody, body, upstream.kind, edits);
    return this.#call(route, { path, body: bytes, contentType: "application/json", headers: request.headers });
  }

  anotherWay(route: Route): UpstreamCall | undefined {
    const { name, dialect } = this.#context.endpoint;
    if (!dialect || this.translation) return undefined;
    route.upstream.lacks.add(name);
    this.translation = dialect;
    return this.#chat(dialect, route);
  }

  #chat(dialect: TranslatedDialect, route: Route): UpstreamCall | undefined {
    const { upstream, model, listed } = route;
    const path = pathOf(upstream, "chat/completions");
    if (path === undefined) return undefined;
    const chat = dialect.toChat(this.#context.request.body as Json);
    const limit = limitName(chatLimits, model, listed);
    // Reasoning models take their limit by another name only.
    if (limit !== "max_tokens" && limit !== undefined && chat.max_tokens !== undefined) {
      chat[limit] = chat.max_tokens;
      delete chat.max_tokens;
    }
    const outputTokens = this.#affordable(route, chatLimits);
    const edits = { asksUsage: chat.stream === true, model: ownName(upstream, model), outputTokens };
    const body = editBody(Buffer.from(JSON.stringify(chat)), chat, upstream.kind, edits);
    return this.#call(route, { path, body, contentType: "application/json" });
  }

  #call({ upstream }: Route, request: CallRequest): UpstreamCall {
    const extra = { ...this.#context.trace, ...request.extra };
    return callUpstream(upstream, { ...request, extra });
  }

  /** What the balance pays for, where that is less than was asked for. */
  #affordable({ model, listed }: Route, names: readonly string[]): { name: string; most: number } | undefined {
    const { wanted, shrinkable } = this.#estimate;
    this.setLimit = undefined;
    if (!shrinkable || this.#hold.amount >= wanted) return undefined;
    const name = limitName(names, model, listed);
    if (name === undefined) return undefined;
    this.setLimit = affordableTokens(this.#hold.amount, shrinkable);
    return { name, most: this.setLimit };
  }
}

/** The request with the upstream's own name for the model. */
export function namedFor<Wanted extends { model: string }>({ upstream, model }: Route, wanted: Wanted): Wanted {
  const name = ownName(upstream, model);
  return name === wanted.model ? wanted : { ...wanted, model: name };
}

export async function openBody<Wanted extends { model: string }>(
  context: RequestContext<Wanted>,
  routes: readonly Route[],
  hold: Hold,
  estimate: Estimate,
): Promise<Body<Wanted>> {
  const { endpoint, request } = context;
  const formFor = endpoint.takes === "form" ? await formsFor(routes, request) : undefined;
  return new Body(context, hold, estimate, formFor);
}

/** OpenAI's reasoning models refuse the older name of the two. */
const refusesMaxTokens = /(^|\/)(o\d|gpt-5)/;

/** The name by which this model's output is limited. */
function limitName(names: readonly string[], model: string, listed: ListedModel | undefined): string | undefined {
  const supported = listed?.record.supported_parameters;
  const isSaid = (name: string) => Array.isArray(supported) && supported.includes(name);
  const said = names.find(isSaid);
  return said ?? (refusesMaxTokens.test(model) ? names.at(-1) : names[0]);
}
