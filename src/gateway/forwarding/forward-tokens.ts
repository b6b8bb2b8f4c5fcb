import type { FastifyReply, FastifyRequest } from "fastify";
import { affordableTokens, estimateTokens } from "../charging/estimate.ts";
import type { Gateway } from "../gateway.ts";
import { type Endpoint, isObject, type Json } from "../upstreams/kinds/kind.ts";
import { callUpstream, pathOf } from "../upstreams/upstream.ts";
import { editBody } from "./edit-body.ts";
import { respondEvents } from "./respond-events.ts";
import { type JsonReply, respondJson } from "./respond-json.ts";
import { alternativesOf, type Plan, startRequest } from "./start-request.ts";
import { withReplay } from "./with-replay.ts";

export interface TokenEndpoint {
  endpoint: Endpoint;
  /** What the dialect calls the limit of its output; absent where there is none. */
  outputLimit?: string;
  /** Usage must be asked for in streams, and they end with [DONE]. */
  isChat: boolean;
  adapt?: JsonReply["adapt"];
  /** For what is not billed by tokens alone. */
  estimate?: Plan["estimate"];
  settle?: JsonReply["settle"];
}

/** Forwards a request that is billed by tokens, whole or as a stream. */
export async function forwardTokens(
  gateway: Gateway,
  request: FastifyRequest,
  reply: FastifyReply,
  { endpoint, outputLimit, isChat, adapt, settle, estimate }: TokenEndpoint,
): Promise<FastifyReply> {
  const body = request.body as Json;
  const raw = request.rawBody;
  const isStream = body.stream === true;
  return withReplay(gateway, request, reply, raw, async (recorder) => {
    const alternatives = alternativesOf(body);
    const started = await startRequest(gateway, request, {
      endpoint,
      model: body.model as string,
      ...(alternatives.length > 0 ? { alternatives } : {}),
      estimate: estimate ?? ((listed) => estimateTokens(body, raw.length, listed)),
      callFor({ upstream }, hold, { wanted, shrinkable }) {
        const path = pathOf(upstream, endpoint);
        if (path === undefined) return undefined;
        const isShrunk = shrinkable && outputLimit && hold.amount < wanted;
        const edited = editBody(raw, body, upstream.kind, {
          asksUsage: isChat && isStream,
          outputTokens: isShrunk ? { name: outputLimit, most: affordableTokens(hold.amount, shrinkable) } : undefined,
        });
        return callUpstream(upstream, {
          path,
          body: edited,
          contentType: "application/json",
          headers: request.headers,
        });
      },
    });
    const isEvents = started.live.header("content-type")?.includes("text/event-stream");
    if (!isEvents) {
      const options = { inputBytes: raw.length, recorder, ...(adapt ? { adapt } : {}), ...(settle ? { settle } : {}) };
      return respondJson(gateway, reply, started, options);
    }
    const asked = isObject(body.stream_options) && body.stream_options.include_usage === true;
    return respondEvents(gateway, reply, started, {
      showsUsage: !isChat || asked,
      saysDone: isChat,
      inputBytes: raw.length,
      recorder,
    });
  });
}
