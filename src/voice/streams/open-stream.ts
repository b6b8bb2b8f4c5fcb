import type { Socket } from "node:net";
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
  /** Of a client that brought its key. */
  readonly pass?: Pass;
}

/** Common proxies close after 60 s, some after 30. */
const pingEveryMs = 20_000;
const tokenWithinMs = 10_000;
const mostBytesOfStrangers = 4096;

/** Lets one client in: the token comes in the address, in the Authorization header, or as `token` in the first message. A bad
 *  one is refused after the handshake, because browsers cannot read why a handshake failed. */
export async function openStream(
  socket: WebSocket,
  request: FastifyRequest,
  kind: TokenKind,
  options: DoorOptions,
): Promise<OpenedStream | undefined> {
  const { idleMs, isBusy } = options;
  const inbox = new SocketInbox(socket, { idleMs, budget: options.sockets.inboxes, ...(isBusy ? { isBusy } : {}) });
  if (options.sockets.isClosing) {
    socket.close(closeCodes.restarting, "server is restarting");
    return undefined;
  }
  const query = request.query as Record<string, string | undefined>;
  const pass = options.pass ?? (await redeemToken());
  keepAlive(socket);
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

  async function redeemToken(): Promise<Pass | undefined> {
    const token = query.token ?? readBearer(request) ?? (await readTokenMessage(inbox, request.raw.socket));
    // Nothing more is read of a client before it is known whose it is.
    socket.pause();
    const found =
      typeof token === "string"
        ? await options.tokens.redeem(token, kind, request.ip).catch(() => undefined)
        : undefined;
    socket.resume();
    return found;
  }
}

/** Proxies cut connections on which nothing moves. The answer says nothing about the client's wish to go on, so it does not
 *  count against idleness: a client that wants to stay without speaking sends `keepalive`. */
function keepAlive(socket: WebSocket): void {
  const timer = setInterval(() => socket.readyState === socket.OPEN && socket.ping(), pingEveryMs);
  timer.unref();
  socket.once("close", () => clearInterval(timer));
}

/** The first message, of a client that has a few kilobytes to say who it is. */
async function readTokenMessage(inbox: SocketInbox, connection: Socket): Promise<string | undefined> {
  let bytes = 0;
  const count = (data: Buffer) => {
    bytes += data.length;
    if (bytes > mostBytesOfStrangers) connection.destroy();
  };
  connection.on("data", count);
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), tokenWithinMs);
  });
  const message = await Promise.race([inbox.next(), late]);
  clearTimeout(timer);
  connection.off("data", count);
  const token = message?.type === "json" ? message.value.token : undefined;
  return typeof token === "string" ? token : undefined;
}
