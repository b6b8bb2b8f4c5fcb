import type { Atto } from "../../credits/money.ts";
import { newId } from "../../platform/ids.ts";
import { estimateUnits } from "../charging/estimate.ts";
import type { Prices } from "../charging/prices.ts";
import { isObject, type Json } from "../json.ts";
import type { EndpointDescriptor } from "../pipeline/endpoint.ts";
import { jsonType } from "../pipeline/outlet.ts";
import { pathOf } from "../upstreams/upstream.ts";
import { type RealtimeWanted, tokenReply, tokenRequest } from "./schema.ts";

/** The longest session that an upstream allows. */
const sessionSeconds = 1500n;

/** The session that the token opens does not pass through here, so its price is settled when it is minted. `usualCost` is that
 *  of models without a session price. */
export function realtimeToken(usualCost: Atto): EndpointDescriptor<RealtimeWanted> {
  const costOf = (prices: Prices | undefined) =>
    prices?.session === undefined ? usualCost : prices.session * sessionSeconds;
  return {
    name: "realtime/token",
    path: "/realtime/token",
    summary: "Ephemeral realtime token",
    schema: tokenRequest,
    reply: tokenReply,
    missing: "The configured upstream has no realtime service.",
    estimate: (_request, listed) => estimateUnits(1, costOf(listed[0]?.prices), undefined, 0),
    inputTokens: () => 0,
    price: (_wanted, { prices }) => ({ cost: costOf(prices), source: "units" }),
    ownShape(upstream) {
      const path = pathOf(upstream, "realtime/token");
      if (path === undefined) return undefined;
      const { client, kind, basePath } = upstream;
      return {
        call: (wanted) => ({
          path,
          body: Buffer.from(JSON.stringify(kind.realtime.body(wanted))),
          contentType: "application/json",
        }),
        read(reply) {
          const minted = readToken(reply);
          if (!minted) return undefined;
          return ({ model }) => {
            const url = client.origin.replace(/^http/, "ws") + kind.realtime.socketPath(basePath, model);
            return { type: jsonType, body: JSON.stringify({ token: minted.token, url, model, ...minted.session }) };
          };
        },
      };
    },
  };
}

/** Vercel's shape, OpenAI's present one and its former one. */
function readToken(body: Json): { token: string; session: { expires_at: number; session_id: string } } | undefined {
  const secret = isObject(body.client_secret) ? body.client_secret : body;
  const token = secret.token ?? secret.value;
  const expiresAt = secret.expires_at ?? secret.expiresAt;
  if (typeof token !== "string" || typeof expiresAt !== "number") return undefined;
  const id = isObject(body.session) ? body.session.id : body.id;
  return {
    token,
    session: { expires_at: Math.floor(expiresAt), session_id: typeof id === "string" ? id : newId("sess_") },
  };
}
