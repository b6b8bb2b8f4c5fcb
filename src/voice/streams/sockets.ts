import type { FastifyRequest } from "fastify";
import type { WebSocket } from "ws";
import type { UsageDetails } from "../../accounts/usage/record.ts";
import { Problem } from "../../platform/errors.ts";
import type { HttpApp } from "../../platform/http/create-server.ts";
import { hearSocket } from "./hear-socket.ts";
import { type OpenedStream, openStream } from "./open-stream.ts";
import type { StreamParts } from "./routes.ts";
import { speakSocket } from "./speak-socket.ts";
import type { TokenKind } from "./store.ts";
import { problemMessage } from "./stream-problem.ts";

const idleMs = 60_000;

/** The sockets themselves. Their key is the token, so the routes are open to everybody. */
export function addSockets(app: HttpApp, parts: StreamParts): void {
  for (const kind of ["stt", "stt/auto", "stt/lang"] as const) {
    addSocket(app, parts, kind, (stream) =>
      hearSocket(stream, { ...parts, canConfigure: kind === "stt/lang" }).then(({ audioMs, language }) => ({
        audioMs,
        model: "svc-stt-1",
        ...(language ? { language } : {}),
      })),
    );
  }
  addSocket(app, parts, "tts", async (stream, onBusy) => {
    const { audioMs } = await speakSocket(stream, { ...parts, onBusy });
    const { language, voice } = stream.pass.settings as { language: string; voice: string };
    return { audioMs, model: "svc-tts-1", language, voice };
  });
}

type Serve = (stream: OpenedStream, onBusy: (isBusy: boolean) => void) => Promise<UsageDetails>;

function addSocket(app: HttpApp, parts: StreamParts, kind: TokenKind, serve: Serve): void {
  const path = `/v1/realtime/${kind}/stream`;
  app.route({
    method: "GET",
    url: path,
    config: { scope: "open" },
    schema: { hide: true } as object,
    handler() {
      throw new Problem(
        "not_found",
        `${path} is a WebSocket. Connect to the "url" that POST /v1/realtime/${kind} gives.`,
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
    const stream = await openStream(socket, request, kind, {
      ...parts,
      idleMs: parts.idleMs ?? idleMs,
      isBusy: () => isBusy,
    });
    if (!stream) return;
    const closed = new Promise<number>((resolve) => socket.once("close", resolve));
    const details = await serve(stream, (busy) => {
      isBusy = busy;
    });
    await closed;
    parts.usage.write({
      at: Date.now(),
      workspaceId: stream.pass.workspaceId,
      keyId: stream.pass.keyId,
      service: "voice",
      route: `WS ${path}`,
      status: 101,
      durationMs: Math.round(performance.now() - startedMs),
      ...details,
    });
  }
}
