import type { FastifyReply, FastifyRequest } from "fastify";
import type { HttpApp } from "../platform/http/create-server.ts";

/** What an OpenAI client asks for that only the gateway serves. With these under `/v1` too, one base address does for everything;
 *  `/v1/embeddings` and the two under `/v1/audio` belong to the voice platform, which answers OpenAI's requests as well. */
const ofTheGateway =
  /^\/v1\/(chat\/completions|responses|messages|models|models\/[^?]+|rerank|images\/generations|videos\/generations|videos\/generations\/[^?]+|audio\/translations|realtime\/token|credits|report)(?=\?|$)/;

export function toGatewayAddress(url: string): string {
  return ofTheGateway.test(url) ? `/gateway${url}` : url;
}

/** Lets the gateway answer a request that reached the voice platform. */
export function askGateway(app: HttpApp, path: string) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const { authorization, "x-api-key": key } = request.headers;
    const answer = await app.inject({
      method: "POST",
      url: `/gateway/v1${path}`,
      headers: {
        "content-type": "application/json",
        "x-request-id": request.id,
        ...(authorization ? { authorization } : {}),
        ...(key ? { "x-api-key": key } : {}),
      },
      payload: JSON.stringify(request.body),
      remoteAddress: request.ip,
    });
    for (const name of ["retry-after", "content-type"]) {
      const value = answer.headers[name];
      if (value !== undefined) reply.header(name, value);
    }
    return reply.code(answer.statusCode).send(answer.rawPayload);
  };
}
