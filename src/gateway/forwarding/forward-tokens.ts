import type { FastifyRequest } from "fastify";
import { affordableTokens, estimateTokens } from "../charging/estimate.ts";
import { requestTokens } from "../charging/text-tokens.ts";
import type { Gateway } from "../gateway.ts";
import { type Endpoint, isObject, type Json, type ListedModel } from "../upstreams/kinds/kind.ts";
import { callUpstream, pathOf } from "../upstreams/upstream.ts";
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
  adapt?: JsonReply["adapt"];
  /** For what is not billed by tokens alone. */
  estimate?: Plan["estimate"];
  settle?: JsonReply["settle"];
  settleUnheard?: Plan["settleUnheard"];
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

/** Forwards a request that is billed by tokens, whole or as a stream. Sends the reply itself, sooner or later. */
export function forwardTokens(
  gateway: Gateway,
  request: PayingRequest & RepeatableRequest & Pick<FastifyRequest, "body" | "rawBody">,
  reply: ReplyWay,
  { endpoint, outputLimits = [], isChat, adapt, settle, estimate, settleUnheard }: TokenEndpoint,
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
  const plan: Plan = {
    endpoint,
    model: body.model as string,
    ...(alternatives.length > 0 ? { alternatives } : {}),
    takesAliases: true,
    isRepeatable: recorder !== undefined,
    settleUnheard: settleUnheard ?? ((meter) => estimateProduced(meter, inputTokens(), 0)),
    estimate: estimate ?? ((listed) => estimateTokens(body, raw.length, listed, outputLimits)),
    callFor({ upstream, model, listed }, hold, { wanted, shrinkable }) {
      const path = pathOf(upstream, endpoint);
      if (path === undefined) return undefined;
      const outputLimit = limitName(outputLimits, model, listed);
      const isShrunk = shrinkable && outputLimit && hold.amount < wanted;
      const edited = editBody(raw, body, upstream.kind, {
        asksUsage,
        model,
        outputTokens: isShrunk ? { name: outputLimit, most: affordableTokens(hold.amount, shrinkable) } : undefined,
      });
      return callUpstream(upstream, { path, body: edited, contentType: "application/json", headers: request.headers });
    },
  };
  beginRequest(gateway, request, plan, {
    onStarted(started) {
      if (!started.live.header("content-type")?.includes("text/event-stream")) {
        respondJson(gateway, reply, started, { inputTokens, recorder, adapt, settle, onFailure });
        return;
      }
      const asked = isObject(body.stream_options) && body.stream_options.include_usage === true;
      respondEvents(gateway, reply, started, {
        showsUsage: !isChat || asked || started.route.upstream.kind.alwaysTellsUsage === true,
        saysDone: isChat,
        inputTokens,
        recorder,
        onFailure,
      });
    },
    onFailure,
  });
}
