import type { FastifyRequest } from "fastify";
import type { Hold } from "../../credits/books.ts";
import type { UpstreamCall } from "../../ports/model-upstream.ts";
import { affordableTokens, type Estimate, estimateTokens } from "../charging/estimate.ts";
import { requestTokens } from "../charging/text-tokens.ts";
import type { TranslatedDialect } from "../dialects/dialect.ts";
import { EventTranslator, translateWhole } from "../dialects/read-chat.ts";
import type { Gateway } from "../gateway.ts";
import type { Route } from "../models/catalog.ts";
import { type Endpoint, isObject, type Json, type ListedModel } from "../upstreams/kinds/kind.ts";
import { callUpstream, pathOf, type Upstream } from "../upstreams/upstream.ts";
import { editBody } from "./edit-body.ts";
import type { ReplyWay } from "./outlet.ts";
import type { RepeatableRequest } from "./replays.ts";
import { respondEvents } from "./respond-events.ts";
import { type JsonReply, respondJson } from "./respond-json.ts";
import { estimateProduced } from "./settle-unknown.ts";
import { alternativesOf, beginRequest, type PayingRequest, type Plan } from "./start-request.ts";

export interface TokenEndpoint {
  endpoint: Endpoint;
  /** What the dialect calls the limit of its output, first the name to set it by; absent where there is none. */
  outputLimits?: readonly string[];
  /** Usage must be asked for in streams, and they end with [DONE]. */
  isChat: boolean;
  /** Where an upstream lacks the endpoint, it is asked for a chat completion in its place. */
  dialect?: TranslatedDialect;
  adapt?: JsonReply["adapt"];
  /** For what is not billed by tokens alone. */
  estimate?: Plan["estimate"];
  settle?: JsonReply["settle"];
  settleUnheard?: Plan["settleUnheard"];
}

/** What chat completions call the limit of their output. */
export const chatLimits: readonly string[] = ["max_tokens", "max_completion_tokens"];

/** OpenAI's reasoning models refuse the older name of the two. */
const refusesMaxTokens = /(^|\/)(o\d|gpt-5)/;

/** The name by which this model's output is limited. */
function limitName(names: readonly string[], model: string, listed: ListedModel | undefined): string | undefined {
  const supported = listed?.record.supported_parameters;
  const isSaid = (name: string) => Array.isArray(supported) && supported.includes(name);
  const said = names.find(isSaid);
  return said ?? (refusesMaxTokens.test(model) ? names.at(-1) : names[0]);
}

/** Forwards a request that is billed by tokens, whole or as a stream. Sends the reply itself, sooner or later. */
export function forwardTokens(
  gateway: Gateway,
  request: PayingRequest & RepeatableRequest & Pick<FastifyRequest, "body" | "rawBody">,
  reply: ReplyWay,
  { endpoint, outputLimits = [], isChat, dialect, adapt, settle, estimate, settleUnheard }: TokenEndpoint,
): void {
  const body = request.body as Json;
  const raw = request.rawBody;
  const asksUsage = isChat && body.stream === true;
  const recorder = gateway.replays.begin(request, reply, raw);
  if (recorder === "replayed") return;
  const onFailure = (error: unknown) => {
    recorder?.abandon();
    reply.send(error);
  };
  const inputTokens = () => requestTokens(body);
  const alternatives = alternativesOf(body);
  /** What the upstream that was asked last understands. */
  let isTranslated = false;
  const plan: Plan = {
    endpoint,
    model: body.model as string,
    ...(alternatives.length > 0 ? { alternatives } : {}),
    takesAliases: true,
    isRepeatable: recorder !== undefined,
    settleUnheard: settleUnheard ?? ((meter) => estimateProduced(meter, inputTokens(), 0)),
    estimate: estimate ?? ((listed) => estimateTokens(body, raw.length, listed, outputLimits)),
    callFor(route, hold, estimated) {
      isTranslated = dialect !== undefined && !offers(route.upstream, endpoint);
      return isTranslated ? chatCall(route, hold, estimated) : ownCall(route, hold, estimated);
    },
    anotherWay(route, hold, estimated) {
      if (!dialect || isTranslated) return undefined;
      route.upstream.lacks.add(endpoint);
      isTranslated = true;
      return chatCall(route, hold, estimated);
    },
  };
  beginRequest(gateway, request, plan, {
    onStarted(started) {
      if (!started.live.header("content-type")?.includes("text/event-stream")) {
        const adaptReply = isTranslated ? (chat: Json) => translateWhole(dialect!, chat) : adapt;
        respondJson(gateway, reply, started, { inputTokens, recorder, adapt: adaptReply, settle, onFailure });
        return;
      }
      const asked = isObject(body.stream_options) && body.stream_options.include_usage === true;
      respondEvents(gateway, reply, started, {
        showsUsage: !isChat || asked || started.route.upstream.kind.alwaysTellsUsage === true,
        saysDone: isChat || isTranslated,
        translator: isTranslated ? new EventTranslator(dialect!, !isChat || asked) : undefined,
        inputTokens,
        recorder,
        onFailure,
      });
    },
    onFailure,
  });

  function ownCall(route: Route, hold: Hold, estimated: Estimate): UpstreamCall | undefined {
    const { upstream } = route;
    const path = pathOf(upstream, endpoint);
    if (path === undefined) return undefined;
    const edits = { asksUsage, model: route.model, outputTokens: affordable(route, outputLimits, hold, estimated) };
    const edited = editBody(raw, body, upstream.kind, edits);
    return callUpstream(upstream, { path, body: edited, contentType: "application/json", headers: request.headers });
  }

  function chatCall(route: Route, hold: Hold, estimated: Estimate): UpstreamCall | undefined {
    const { upstream } = route;
    const path = pathOf(upstream, "chat/completions");
    if (path === undefined) return undefined;
    const chat = dialect!.toChat(body);
    const limit = limitName(chatLimits, route.model, route.listed);
    // Reasoning models take their limit by another name only.
    if (limit !== "max_tokens" && limit !== undefined && chat.max_tokens !== undefined) {
      chat[limit] = chat.max_tokens;
      delete chat.max_tokens;
    }
    const outputTokens = affordable(route, chatLimits, hold, estimated);
    const edits = { asksUsage: chat.stream === true, model: route.model, outputTokens };
    const edited = editBody(Buffer.from(JSON.stringify(chat)), chat, upstream.kind, edits);
    return callUpstream(upstream, { path, body: edited, contentType: "application/json" });
  }
}

/** What the balance pays for, where that is less than was asked for. */
function affordable(route: Route, names: readonly string[], hold: Hold, { wanted, shrinkable }: Estimate) {
  const name = limitName(names, route.model, route.listed);
  if (!shrinkable || name === undefined || hold.amount >= wanted) return undefined;
  return { name, most: affordableTokens(hold.amount, shrinkable) };
}

function offers(upstream: Upstream, endpoint: Endpoint): boolean {
  return pathOf(upstream, endpoint) !== undefined && !upstream.lacks.has(endpoint);
}
