import type { FastifyRequest } from "fastify";
import type { WebSocket } from "ws";
import { readBearer } from "../../accounts/http/guard.ts";
import { closeCodes } from "./close-codes.ts";
import type { LiveSockets } from "./live-sockets.ts";
import { SocketInbox } from "./socket-inbox.ts";
import type { Pass, TokenKind, TokenStore } from "./store.ts";

export interface OpenedStream {
  readonly socket: WebSocket;
  readonly inbox: SocketInbox;
  readonly pass: Pass;
  readonly query: Record<string, string | undefined>;
  /** Says something, unless nobody listens any more. */
  send(message: object): void;
}

export interface DoorOptions {
  readonly tokens: TokenStore;
  readonly sockets: LiveSockets;
  readonly idleMs: number;
  isBusy?(): boolean;
}

const tokenWithinMs = 10_000;

/** Lets one client in: the token comes in the address, in the Authorization header, or as `token` in the first message. A bad
 *  one is refused after the handshake, because browsers cannot read why a handshake failed. */
export async function openStream(
  socket: WebSocket,
  request: FastifyRequest,
  kind: TokenKind,
  options: DoorOptions,
): Promise<OpenedStream | undefined> {
  const inbox = new SocketInbox(
    socket,
    options.isBusy ? { ...options, isBusy: options.isBusy } : { idleMs: options.idleMs },
  );
  if (options.sockets.isClosing) {
    socket.close(closeCodes.restarting, "server is restarting");
    return undefined;
  }
  const query = request.query as Record<string, string | undefined>;
  const token = query.token ?? readBearer(request) ?? (await readTokenMessage(inbox));
  const pass = typeof token === "string" ? await options.tokens.redeem(token, kind).catch(() => undefined) : undefined;
  if (!pass) {
    socket.close(closeCodes.badToken, "bad, used or expired token");
    return undefined;
  }
  return {
    socket,
    inbox,
    pass,
    query,
    send(message) {
      if (socket.readyState === socket.OPEN) socket.send(JSON.stringify(message));
    },
  };
}

async function readTokenMessage(inbox: SocketInbox): Promise<string | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), tokenWithinMs);
  });
  const message = await Promise.race([inbox.next(), late]);
  clearTimeout(timer);
  const token = message?.type === "json" ? message.value.token : undefined;
  return typeof token === "string" ? token : undefined;
}
