import type { FastifyReply, FastifyRequest } from "fastify";
import { gatewayReference } from "../gateway/reference.ts";
import type { HttpApp } from "../platform/http/create-server.ts";
import type { ApiReference } from "../platform/http/openapi/reference.ts";
import { voiceReference } from "../voice/reference.ts";

/** Whatever only the gateway serves, under the voice platform's `/v1` too: then one base address does for an OpenAI client.
 *  `/v1/embeddings` and the two under `/v1/audio` belong to the voice platform, which answers OpenAI's requests as well. */
const ofTheGateway = new RegExp(
  `^/v1(${pathsOf(gatewayReference)
    .filter((path) => !pathsOf(voiceReference).includes(`/v1${path}`))
    .map((path) => path.replace(/\{\w+\}/g, "[^?]+"))
    .join("|")})(?=\\?|$)`,
);

export function toGatewayAddress(url: string): string {
  return ofTheGateway.test(url) ? `/gateway${url}` : url;
}

function pathsOf({ routes }: ApiReference): string[] {
  return [...new Set(Object.keys(routes).map((route) => route.split(" ")[1]!))];
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
