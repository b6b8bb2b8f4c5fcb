import type { FastifyRequest } from "fastify";
import type { WebSocket } from "ws";
import type { UsageDetails } from "../../accounts/usage/record.ts";
import { Problem } from "../../platform/errors.ts";
import type { HttpApp } from "../../platform/http/create-server.ts";
import { admitKey, bringsKey, isHandshake, type StreamKind } from "./admit-key.ts";
import { hearSocket } from "./hear-socket.ts";
import { type OpenedStream, openStream } from "./open-stream.ts";
import type { StreamParts } from "./routes.ts";
import { speakSocket } from "./speak-socket.ts";
import type { Pass } from "./store.ts";
import { problemMessage } from "./stream-problem.ts";

const idleMs = 60_000;

/** The sockets themselves. A token opens them to everybody; a client that can send headers may bring its key instead. */
export function addSockets(app: HttpApp, parts: StreamParts): void {
  for (const kind of ["stt", "stt/auto", "stt/lang"] as const) {
    addSocket(app, parts, kind, (stream) =>
      hearSocket(stream, { ...parts, canConfigure: kind === "stt/lang" }).then(({ audioMs, language, isBroken }) => ({
        isBroken,
        details: { audioMs, model: "svc-stt-1", ...(language ? { language } : {}) },
      })),
    );
  }
  addSocket(app, parts, "tts", async (stream, onBusy) => {
    const { audioMs, isBroken } = await speakSocket(stream, { ...parts, onBusy });
    const { language, voice } = stream.pass.settings as { language: string; voice: string };
    return { isBroken, details: { audioMs, model: "svc-tts-1", language, voice } };
  });
}

interface Served {
  readonly isBroken: boolean;
  readonly details: UsageDetails;
}

type Serve = (stream: OpenedStream, onBusy: (isBusy: boolean) => void) => Promise<Served>;

function addSocket(app: HttpApp, parts: StreamParts, kind: StreamKind, serve: Serve): void {
  const keyed = new WeakMap<FastifyRequest, Pass>();
  const path = `/v1/realtime/${kind}/stream`;
  app.route({
    method: "GET",
    url: path,
    config: { scope: "realtime", isOpenFor: (request) => !bringsKey(request) },
    schema: { hide: true } as object,
    // Before the handshake, so that a server-side client gets a status and the error shape.
    async preHandler(request) {
      if (request.caller && isHandshake(request)) keyed.set(request, await admitKey(request, parts, kind));
    },
    handler() {
      throw new Problem(
        "not_found",
        `${path} is a WebSocket. Connect to the "url" that POST /v1/realtime/${kind} gives, or with your key as a header.`,
      );
    },
    wsHandler(socket: WebSocket, request: FastifyRequest) {
      void handle(socket, request).catch((error: unknown) => {
        parts.log.error({ requestId: request.id, error: String(error) }, "stream failed");
        if (socket.readyState === socket.OPEN) socket.send(JSON.stringify(problemMessage(error)));
        socket.close(1011, "internal error");
      });
    },
  });

  async function handle(socket: WebSocket, request: FastifyRequest): Promise<void> {
    const startedMs = performance.now();
    let isBusy = false;
    const pass = keyed.get(request);
    const stream = await openStream(socket, request, kind, {
      ...parts,
      ...(pass ? { pass } : {}),
      idleMs: parts.idleMs ?? idleMs,
      isBusy: () => isBusy,
    });
    if (!stream) return;
    const closed = new Promise<number>((resolve) => socket.once("close", resolve));
    const { isBroken, details } = await serve(stream, (busy) => {
      isBusy = busy;
    });
    await closed;
    parts.usage.write({
      at: Date.now(),
      workspaceId: stream.pass.workspaceId,
      keyId: stream.pass.keyId,
      service: "voice",
      route: `WS ${path}`,
      // What the server broke off counts as its failure, so that alerts see it.
      status: isBroken ? 502 : 101,
      durationMs: Math.round(performance.now() - startedMs),
      ...details,
    });
  }
}
