import type { Hold } from "../../credits/books.ts";
import type { Problem } from "../../platform/errors.ts";
import type { UpstreamCall } from "../../ports/model-upstream.ts";
import type { Route } from "../catalog/catalog.ts";
import { affordableTokens, type Estimate } from "../charging/estimate.ts";
import type { ListedModel } from "../charging/prices.ts";
import { withoutExtensions } from "../dialects/chat/write-request.ts";
import type { Translation } from "../dialects/translate.ts";
import type { Json } from "../json.ts";
import type { CallRequest } from "../upstreams/kinds/kind.ts";
import { callUpstream, pathOf, type Upstream } from "../upstreams/upstream.ts";
import type { Calls } from "./ask.ts";
import type { RequestContext } from "./context.ts";
import { editBody } from "./edit-body.ts";
import { type FormFor, formsFor } from "./raw-form.ts";

/** What goes to the upstreams of one request: the caller's own bytes, with as little changed as possible, or the same in another
 *  dialect where an upstream does not speak the caller's. */
export class Body<Wanted extends { model: string }> implements Calls {
  /** What the last reply must go through; undefined where it comes in the caller's own dialect. */
  translation: Translation | undefined;
  /** The limit of the output that was set here, to what the balance pays for. */
  setLimit: number | undefined;
  #leavesEffort = false;
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
    this.translation = lacks ? this.#translationFor(upstream) : undefined;
    if (this.translation) return this.#translated(this.translation, route);
    const shape = endpoint.ownShape?.(upstream);
    if (shape) return this.#call(route, shape.call(request.body));
    if (path === undefined) return undefined;
    if (this.#formFor) return this.#call(route, { path, ...this.#formFor(upstream) });
    const { isChat = false, outputLimits = [] } = endpoint;
    const body = request.body as Json;
    const outputTokens = this.#affordable(route, outputLimits);
    const extra = endpoint.headers?.(route.model, request);
    const edits = { asksUsage: isChat && body.stream === true, model: extra ? undefined : route.model, outputTokens };
    const bytes = editBody(request.rawBody, body, upstream.kind, edits);
    const call = { path, body: bytes, contentType: "application/json", headers: request.headers };
    return this.#call(route, extra ? { ...call, extra } : call);
  }

  anotherWay(route: Route): UpstreamCall | undefined {
    const { name } = this.#context.endpoint;
    // Whatever is called an upstream chats: something else was not found.
    if (name === "chat/completions" || this.translation) return undefined;
    this.translation = this.#translationFor(route.upstream);
    if (!this.translation) return undefined;
    route.upstream.lacks.add(name);
    return this.#translated(this.translation, route);
  }

  plainer(route: Route, { message }: Problem): UpstreamCall | undefined {
    if (this.translation?.endpoint !== "chat/completions") return undefined;
    if (message.includes(effort)) {
      // That is a matter of the model, and not of the upstream.
      if (this.#leavesEffort) return undefined;
      this.#leavesEffort = true;
    } else {
      if (!route.upstream.takesExtensions || !extensionNames.test(message)) return undefined;
      route.upstream.takesExtensions = false;
    }
    return this.#translated(this.translation, route);
  }

  #translationFor(upstream: Upstream): Translation | undefined {
    const isThere = ({ endpoint }: Translation) => pathOf(upstream, endpoint) && !upstream.lacks.has(endpoint);
    return this.#context.endpoint.translations?.find(isThere);
  }

  #translated({ request, endpoint, outputLimits }: Translation, route: Route): UpstreamCall | undefined {
    const { upstream, model, listed } = route;
    const path = pathOf(upstream, endpoint);
    if (path === undefined) return undefined;
    const isChat = endpoint === "chat/completions";
    const asked = request(this.#context.request.body as Json);
    const wanted = isChat ? fitChat(asked, upstream) : asked;
    if (this.#leavesEffort) delete wanted[effort];
    const limit = limitName(outputLimits, model, listed);
    // Reasoning models take their limit by another name only.
    if (isChat && limit !== "max_tokens" && limit !== undefined && wanted.max_tokens !== undefined) {
      wanted[limit] = wanted.max_tokens;
      delete wanted.max_tokens;
    }
    const asksUsage = isChat && wanted.stream === true;
    const edits = { asksUsage, model, outputTokens: this.#affordable(route, outputLimits) };
    const body = editBody(Buffer.from(JSON.stringify(wanted)), wanted, upstream.kind, edits);
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

const effort = "reasoning_effort";
/** In the refusals of servers that know OpenAI's members only. */
const extensionNames = /cache_control|reasoning|extra_content|providerOptions|plugins|top_k|extra (inputs|fields)/i;

function fitChat(chat: Json, { takesExtensions, kind }: Upstream): Json {
  if (!takesExtensions) return withoutExtensions(chat);
  const { reasoning, ...plain } = chat;
  return kind.takesReasoning && reasoning !== undefined ? chat : plain;
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
