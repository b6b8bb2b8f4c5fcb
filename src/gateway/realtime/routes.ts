import type { FastifyReply, FastifyRequest } from "fastify";
import { Problem } from "../../platform/errors.ts";
import type { HttpApp } from "../../platform/http/create-server.ts";
import { newId } from "../../platform/ids.ts";
import { estimateUnits } from "../charging/estimate.ts";
import { problemReplies } from "../fields.ts";
import { startRequest } from "../forwarding/asking.ts";
import { jsonType, type Recorder, sendWhole } from "../forwarding/outlet.ts";
import { withReplay } from "../forwarding/with-replay.ts";
import type { Gateway } from "../gateway.ts";
import type { Route } from "../models/catalog.ts";
import { isObject, type Json } from "../upstreams/kinds/kind.ts";
import { callUpstream, pathOf } from "../upstreams/upstream.ts";
import { type RealtimeWanted, tokenReply, tokenRequest } from "./schema.ts";

/** The longest session that an upstream allows. */
const sessionSeconds = 1500n;

export function addRealtimeRoutes(app: HttpApp, gateway: Gateway): void {
  app.post(
    "/realtime/token",
    {
      config: { scope: "gateway:read" },
      schema: {
        summary: "Ephemeral realtime token",
        body: tokenRequest,
        response: { 200: tokenReply, ...problemReplies },
      },
    },
    async (request, reply) =>
      withReplay(gateway, request, reply, request.rawBody, (recorder) =>
        mintToken(gateway, request, reply, request.body, recorder),
      ),
  );
}

/** The session that the token opens does not pass through here, so its price is settled when it is minted. */
async function mintToken(
  gateway: Gateway,
  request: FastifyRequest,
  reply: FastifyReply,
  wanted: RealtimeWanted,
  recorder: Recorder | undefined,
): Promise<FastifyReply> {
  const priceAt = (route: Route | undefined) => {
    const perSecond = route?.listed?.prices?.session;
    return perSecond === undefined ? gateway.sessionCost : perSecond * sessionSeconds;
  };
  const { live, meter, route } = await startRequest(gateway, request, {
    endpoint: "realtime/token",
    model: wanted.model,
    estimate: (listed) => {
      const perSecond = listed[0]?.prices?.session;
      return estimateUnits(1, perSecond === undefined ? gateway.sessionCost : perSecond * sessionSeconds, undefined, 0);
    },
    callFor({ upstream }) {
      const path = pathOf(upstream, "realtime/token");
      if (path === undefined) return undefined;
      const body = Buffer.from(JSON.stringify(upstream.kind.realtime.body(wanted)));
      return callUpstream(upstream, { path, body, contentType: "application/json" });
    },
  }).catch((error) => {
    if (!(error instanceof Problem) || error.kind !== "not_found") throw error;
    throw new Problem("service_unavailable", "The configured upstream has no realtime service.", { cause: error });
  });
  try {
    const body: unknown = JSON.parse((await live.whole(1_000_000)).toString("utf8"));
    const minted = isObject(body) ? readToken(body) : undefined;
    if (!minted) throw new Error("no token in the reply");
    meter.settle(priceAt(route), "units");
    const { transport, kind, basePath } = route.upstream;
    const token = {
      token: minted.token,
      url: transport.origin.replace(/^http/, "ws") + kind.realtime.socketPath(basePath, wanted.model),
      model: wanted.model,
      expires_at: minted.expiresAt,
      session_id: minted.sessionId ?? newId("sess_"),
    };
    sendWhole(reply, { status: 200, type: jsonType, body: JSON.stringify(token) }, recorder);
    return reply;
  } catch (error) {
    throw new Problem("upstream_failed", "The upstream gateway did not give a token.", { cause: error });
  } finally {
    meter.release();
  }
}

/** Vercel's shape, OpenAI's present one and its former one. */
function readToken(body: Json): { token: string; expiresAt: number; sessionId: string | undefined } | undefined {
  const secret = isObject(body.client_secret) ? body.client_secret : body;
  const token = secret.token ?? secret.value;
  const expiresAt = secret.expires_at ?? secret.expiresAt;
  if (typeof token !== "string" || typeof expiresAt !== "number") return undefined;
  const session = isObject(body.session) ? body.session.id : body.id;
  return { token, expiresAt: Math.floor(expiresAt), sessionId: typeof session === "string" ? session : undefined };
}
