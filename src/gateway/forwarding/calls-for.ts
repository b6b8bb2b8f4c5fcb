import type { Hold } from "../../credits/books.ts";
import type { UpstreamCall } from "../../ports/model-upstream.ts";
import { affordableTokens, type Estimate } from "../charging/estimate.ts";
import type { TranslatedDialect } from "../dialects/dialect.ts";
import type { Gateway } from "../gateway.ts";
import type { Route } from "../models/catalog.ts";
import type { Json, ListedModel } from "../upstreams/kinds/kind.ts";
import { callUpstream, pathOf } from "../upstreams/upstream.ts";
import { editBody } from "./edit-body.ts";
import type { EndpointDescriptor, ForwardedRequest } from "./endpoint.ts";
import { formsFor } from "./raw-form.ts";

/** How the upstreams of one request are asked. */
export interface Calls {
  callFor(route: Route, hold: Hold, estimate: Estimate): UpstreamCall | undefined;
  anotherWay(route: Route, hold: Hold, estimate: Estimate): UpstreamCall | undefined;
  /** The dialect that the last reply must be put into; undefined where it came in the caller's own. */
  translation(): TranslatedDialect | undefined;
}

/** What chat completions call the limit of their output. */
export const chatLimits: readonly string[] = ["max_tokens", "max_completion_tokens"];

export function callsFor<Wanted extends { model: string }>(
  gateway: Gateway,
  endpoint: EndpointDescriptor<Wanted>,
  request: ForwardedRequest<Wanted>,
): Calls | Promise<Calls> {
  const { name, dialect, ownShape, isChat = false, outputLimits = [] } = endpoint;
  const wanted = request.body;
  const body = wanted as Json;
  let isTranslated = false;
  if (endpoint.takes === "form") {
    return formsFor(gateway, request, body as Json & Wanted).then((formFor) =>
      callsWith((route) => formFor(route.upstream)),
    );
  }
  return callsWith((route, hold, estimate) => {
    const outputTokens = affordable(route, outputLimits, hold, estimate);
    const edits = { asksUsage: isChat && body.stream === true, model: route.model, outputTokens };
    const edited = editBody(request.rawBody, body, route.upstream.kind, edits);
    return { body: edited, contentType: "application/json", headers: request.headers };
  });

  function callsWith(contentFor: (route: Route, hold: Hold, estimate: Estimate) => Content): Calls {
    return {
      callFor(route, hold, estimate) {
        const { upstream } = route;
        isTranslated = dialect !== undefined && (pathOf(upstream, name) === undefined || upstream.lacks.has(name));
        if (isTranslated) return chatCall(dialect!.toChat(body), route, hold, estimate);
        const shape = ownShape?.(upstream.kind);
        if (shape) return callUpstream(upstream, shape.call(wanted));
        const path = pathOf(upstream, name);
        return path === undefined ? undefined : callUpstream(upstream, { path, ...contentFor(route, hold, estimate) });
      },
      anotherWay(route, hold, estimate) {
        if (!dialect || isTranslated) return undefined;
        route.upstream.lacks.add(name);
        isTranslated = true;
        return chatCall(dialect.toChat(body), route, hold, estimate);
      },
      translation: () => (isTranslated ? dialect : undefined),
    };
  }
}

interface Content {
  readonly body: Buffer;
  readonly contentType: string | undefined;
  readonly headers?: ForwardedRequest["headers"];
}

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
  const name = limitName(names, route.model, route.listed);
  if (!shrinkable || name === undefined || hold.amount >= wanted) return undefined;
  return { name, most: affordableTokens(hold.amount, shrinkable) };
}
