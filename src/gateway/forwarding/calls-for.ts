import type { Hold } from "../../credits/books.ts";
import type { UpstreamCall } from "../../ports/model-upstream.ts";
import { affordableTokens, type Estimate } from "../charging/estimate.ts";
import type { TranslatedDialect } from "../dialects/dialect.ts";
import type { Gateway } from "../gateway.ts";
import type { Route } from "../models/catalog.ts";
import type { CallRequest } from "../upstreams/call-request.ts";
import type { Json, ListedModel } from "../upstreams/kinds/kind.ts";
import { callUpstream, pathOf, type Upstream } from "../upstreams/upstream.ts";
import type { Calling } from "./asking.ts";
import { editBody } from "./edit-body.ts";
import type { EndpointDescriptor, ForwardedRequest } from "./endpoint.ts";
import { formsFor } from "./raw-form.ts";

/** What chat completions call the limit of their output. */
export const chatLimits: readonly string[] = ["max_tokens", "max_completion_tokens"];

export function callsFor<Wanted extends { model: string }>(
  gateway: Gateway,
  endpoint: EndpointDescriptor<Wanted>,
  request: ForwardedRequest<Wanted>,
): Calls<Wanted> | Promise<Calls<Wanted>> {
  if (endpoint.takes !== "form") return new Calls(endpoint, request);
  return formsFor(gateway, request, request.body as Json & Wanted).then(
    (formFor) => new Calls(endpoint, request, formFor),
  );
}

/** How the upstreams of one request are asked. */
export class Calls<Wanted extends { model: string }> implements Calling {
  readonly #endpoint: EndpointDescriptor<Wanted>;
  readonly #request: ForwardedRequest<Wanted>;
  readonly #formFor: ((upstream: Upstream) => Content) | undefined;
  #isTranslated = false;

  constructor(
    endpoint: EndpointDescriptor<Wanted>,
    request: ForwardedRequest<Wanted>,
    formFor?: (upstream: Upstream) => Content,
  ) {
    this.#endpoint = endpoint;
    this.#request = request;
    this.#formFor = formFor;
  }

  /** The dialect that the last reply must be put into; undefined where it came in the caller's own. */
  get translation(): TranslatedDialect | undefined {
    return this.#isTranslated ? this.#endpoint.dialect : undefined;
  }

  callFor(route: Route, hold: Hold, estimate: Estimate): UpstreamCall | undefined {
    const { upstream } = route;
    const { name, dialect } = this.#endpoint;
    const path = pathOf(upstream, name);
    this.#isTranslated = dialect !== undefined && (path === undefined || upstream.lacks.has(name));
    const { body } = this.#request;
    if (this.#isTranslated) return chatCall(dialect!.toChat(body as Json), route, hold, estimate);
    const shape = this.#endpoint.ownShape?.(upstream);
    if (shape) return callUpstream(upstream, shape.call(body));
    if (path === undefined) return undefined;
    if (this.#formFor) return callUpstream(upstream, { path, ...this.#formFor(upstream) });
    return callUpstream(upstream, this.#json(path, route, hold, estimate));
  }

  anotherWay(route: Route, hold: Hold, estimate: Estimate): UpstreamCall | undefined {
    const { name, dialect } = this.#endpoint;
    if (!dialect || this.#isTranslated) return undefined;
    route.upstream.lacks.add(name);
    this.#isTranslated = true;
    return chatCall(dialect.toChat(this.#request.body as Json), route, hold, estimate);
  }

  #json(path: string, route: Route, hold: Hold, estimate: Estimate): CallRequest {
    const { isChat = false, outputLimits = [] } = this.#endpoint;
    const { rawBody, headers } = this.#request;
    const body = this.#request.body as Json;
    const outputTokens = affordable(route, outputLimits, hold, estimate);
    const edits = { asksUsage: isChat && body.stream === true, model: route.model, outputTokens };
    return {
      path,
      body: editBody(rawBody, body, route.upstream.kind, edits),
      contentType: "application/json",
      headers,
    };
  }
}

type Content = Omit<CallRequest, "path">;

function chatCall(chat: Json, route: Route, hold: Hold, estimate: Estimate): UpstreamCall | undefined {
  const { upstream, model, listed } = route;
  const path = pathOf(upstream, "chat/completions");
  if (path === undefined) return undefined;
  const limit = limitName(chatLimits, model, listed);
  // Reasoning models take their limit by another name only.
  if (limit !== "max_tokens" && limit !== undefined && chat.max_tokens !== undefined) {
    chat[limit] = chat.max_tokens;
    delete chat.max_tokens;
  }
  const edits = { asksUsage: chat.stream === true, model, outputTokens: affordable(route, chatLimits, hold, estimate) };
  const body = editBody(Buffer.from(JSON.stringify(chat)), chat, upstream.kind, edits);
  return callUpstream(upstream, { path, body, contentType: "application/json" });
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

/** What the balance pays for, where that is less than was asked for. */
function affordable(route: Route, names: readonly string[], hold: Hold, { wanted, shrinkable }: Estimate) {
  if (!shrinkable || hold.amount >= wanted) return undefined;
  const name = limitName(names, route.model, route.listed);
  return name === undefined ? undefined : { name, most: affordableTokens(hold.amount, shrinkable) };
}
