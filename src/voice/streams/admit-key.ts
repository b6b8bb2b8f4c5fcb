import type { FastifyRequest } from "fastify";
import { readKey } from "../../accounts/http/guard.ts";
import { parseWith } from "../../platform/http/validate.ts";
import { newId } from "../../platform/ids.ts";
import { prepareHearingStream, prepareSpeechStream } from "./prepare-stream.ts";
import type { StreamParts } from "./routes.ts";
import { streamQueries } from "./schema.ts";
import { type Pass, TOKEN_PREFIX, type TokenKind } from "./store.ts";

export type StreamKind = Exclude<TokenKind, "session">;

/** Whether this client comes with its API key in a header, as only programs on servers can; others have a token. */
export function bringsKey(request: FastifyRequest): boolean {
  const key = readKey(request);
  const { token } = request.query as { token?: unknown };
  return key !== undefined && !key.startsWith(TOKEN_PREFIX) && token === undefined;
}

/** A plain GET is told elsewhere what is wrong with it. */
export function isHandshake({ headers }: FastifyRequest): boolean {
  return headers.upgrade?.toLowerCase() === "websocket";
}

/** What a mint would have put into a token, from the address of the socket itself. */
export async function admitKey(request: FastifyRequest, parts: StreamParts, kind: StreamKind): Promise<Pass> {
  const { keyId, workspace } = request.caller;
  parts.sockets.checkCapacity(workspace.id);
  const { settings } =
    kind === "tts"
      ? await prepareSpeechStream(parts, parseWith(streamQueries.tts, request.query, "The address"), workspace.id)
      : prepareHearingStream(parts, parseWith(streamQueries[kind], request.query, "The address"), kind === "stt/lang");
  return { sessionId: newId("rts_"), workspaceId: workspace.id, keyId, settings };
}
