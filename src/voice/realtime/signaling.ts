import type { FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import { readBearer } from "../../accounts/http/guard.ts";
import { Problem } from "../../platform/errors.ts";
import type { HttpApp } from "../../platform/http/create-server.ts";
import { renderProblem } from "../../platform/http/dialect.ts";
import { isFromHere } from "../../platform/http/from-here.ts";
import { toProblem } from "../../platform/http/to-problem.ts";
import { voiceDialect } from "../dialect.ts";
import { isOutside, keepOutside } from "./outside-candidates.ts";
import type { RealtimeParts } from "./routes.ts";
import { candidatesReply, candidatesRequest, offerReply, offerRequest, refusals } from "./schema.ts";

/** The token alone says which call it is; a path with the session's id lets load balancers send all of a call to one node. */
const paths = ["/v1/realtime/session/:session/offer", "/v1/realtime/session/offer"];
/** The token is the key here. */
const config = { scope: "open", edgeBytes: 64_000 };
const params = z.object({ session: z.string().optional() });

/** Offers and candidates of clients, as Pipecat's SmallWebRTC transport sends them. */
export function addSignalingRoutes(app: HttpApp, parts: Pick<RealtimeParts, "calls" | "tokens" | "unknown">): void {
  for (const path of paths) {
    app.post(
      path,
      {
        config,
        errorHandler: sendWithDetail,
        // Before the body: strangers have none to send.
        async onRequest(request) {
          const token = readToken(request);
          if (findLive(request)) return;
          if (!(await parts.tokens.isGood(token, "session", request.ip))) throw badToken();
        },
        schema: {
          summary: "Opens a call with a WebRTC offer; the token goes into the query",
          params,
          body: offerRequest,
          response: { 200: offerReply, ...refusals },
        },
      },
      async (request) => {
        const { pc_id, restart_pc } = request.body;
        const sdp = isFromHere(request.raw) ? request.body.sdp : keepOutside(request.body.sdp);
        const token = readToken(request);
        const live = findLive(request);
        // A call that lives may be negotiated anew however old its token is; another call needs another token.
        const answered =
          live?.connectionId === pc_id && live
            ? await parts.calls.reopen(live, sdp, restart_pc === true)
            : await openCall(request.params.session, token, sdp, request.ip);
        return { sdp: answered.sdp, type: "answer" as const, pc_id: answered.connectionId };
      },
    );
    app.patch(
      path,
      {
        config,
        errorHandler: sendWithDetail,
        async onRequest(request) {
          if (findLive(request)) return;
          parts.unknown.check(request.ip);
          parts.unknown.note(request.ip);
          throw noConnection();
        },
        schema: {
          summary: "Adds candidates to a call",
          params,
          body: candidatesRequest,
          response: { 200: candidatesReply, ...refusals },
        },
      },
      async (request) => {
        const live = findLive(request);
        if (live?.connectionId !== request.body.pc_id) throw noConnection();
        const candidates = request.body.candidates
          // The empty one says that no more will come.
          .filter(({ candidate }) => candidate !== "" && (isFromHere(request.raw) || isOutside(candidate)))
          .map(({ candidate, sdp_mid }) => ({ candidate, mid: sdp_mid ?? "0" }));
        live.call.addCandidates(candidates);
        return { status: "success" as const };
      },
    );
  }

  function findLive(request: FastifyRequest) {
    return parts.calls.find(readToken(request), (request.params as z.infer<typeof params>).session);
  }

  async function openCall(session: string | undefined, token: string, sdp: string, address: string) {
    if (!/^v=0\r?\n/.test(sdp) || !/^m=/m.test(sdp)) throw new Problem("invalid_request", '"sdp" is no SDP offer.');
    const pass = await parts.tokens.redeem(token, "session", address);
    if (!pass || (session !== undefined && pass.sessionId !== session)) throw badToken();
    try {
      return await parts.calls.open(pass, token, sdp);
    } catch (error) {
      // Nothing was opened, so the client may try again.
      await parts.tokens.restore(token);
      throw error;
    }
  }
}

function badToken(): Problem {
  return new Problem("unauthorized", "This token is unknown, used or expired, or opens another call.");
}

function noConnection(): Problem {
  return new Problem("not_found", "Peer connection not found");
}

function readToken(request: FastifyRequest): string {
  const { token = readBearer(request) } = request.query as Record<string, unknown>;
  return typeof token === "string" ? token : "";
}

function sendWithDetail(error: unknown, _request: FastifyRequest, reply: FastifyReply): void {
  const problem = toProblem(error);
  const { status, headers, body } = renderProblem(voiceDialect, problem);
  reply
    .code(status)
    .headers(headers)
    .send({ ...(body as object), detail: problem.message });
}
