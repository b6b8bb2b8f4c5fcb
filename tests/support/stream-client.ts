import { afterAll } from "vitest";
import WebSocket from "ws";
import { call } from "./call.ts";
import { startServer } from "./start-server.ts";

export interface StreamMessage {
  type: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into messages of every shape
  [field: string]: any;
}

/** One streaming socket as a client sees it. */
export interface StreamClient {
  readonly messages: StreamMessage[];
  readonly audio: Buffer[];
  readonly socket: WebSocket;
  send(message: object | Uint8Array): void;
  /** The first message, past or future, that fits. */
  waitFor(fits: string | ((message: StreamMessage) => boolean), timeoutMs?: number): Promise<StreamMessage>;
  /** The code it was closed with. */
  closed: Promise<number>;
  close(): void;
}

export async function openStream(
  url: string,
  options: { headers?: Record<string, string> } = {},
): Promise<StreamClient> {
  const socket = new WebSocket(url.replace("localhost", "127.0.0.1"), { headers: options.headers ?? {} });
  const messages: StreamMessage[] = [];
  const audio: Buffer[] = [];
  const watchers = new Set<() => void>();
  socket.on("message", (data: Buffer, isBinary) => {
    if (isBinary) audio.push(data);
    else messages.push(JSON.parse(data.toString()));
    for (const watch of watchers) watch();
  });
  const closed = new Promise<number>((resolve) => {
    socket.once("close", (code) => {
      resolve(code);
      for (const watch of watchers) watch();
    });
  });
  await new Promise<void>((resolve, reject) => {
    socket.once("open", () => resolve());
    socket.once("error", reject);
  });
  return {
    messages,
    audio,
    socket,
    send: (message) => socket.send(message instanceof Uint8Array ? message : JSON.stringify(message)),
    waitFor(fits, timeoutMs = 60_000) {
      const matches = typeof fits === "string" ? (message: StreamMessage) => message.type === fits : fits;
      return new Promise((resolve, reject) => {
        const timer = setTimeout(() => finish(undefined), timeoutMs);
        const finish = (found: StreamMessage | undefined) => {
          clearTimeout(timer);
          watchers.delete(look);
          if (found) resolve(found);
          else
            reject(
              new Error(`nothing that fits in ${JSON.stringify(messages).slice(0, 2000)}, state ${socket.readyState}`),
            );
        };
        const look = () => {
          const found = messages.find(matches);
          if (found) finish(found);
          else if (socket.readyState === socket.CLOSED) finish(undefined);
        };
        watchers.add(look);
        look();
      });
    },
    closed,
    close: () => socket.close(),
  };
}

/** Sends PCM at the pace at which it would be spoken, or faster. */
export async function speakInto(
  client: StreamClient,
  pcm: Uint8Array,
  { frameMs = 100, pace = 1 } = {},
): Promise<void> {
  const step = Math.round(frameMs * 32);
  const startedMs = performance.now();
  for (let at = 0; at < pcm.length; at += step) {
    client.send(pcm.subarray(at, at + step));
    const dueMs = (at + step) / 32 / pace - (performance.now() - startedMs);
    if (dueMs > 0) await new Promise((resolve) => setTimeout(resolve, dueMs));
  }
}

/** A server for all tests of a file, its tokens, and the streams that they open. */
export async function openStreamServer() {
  const server = await startServer();
  afterAll(() => server.close());
  const mint = (kind: string, json: object = {}, key = server.key) =>
    call(`${server.url}/v1/realtime/${kind}`, { key, json });
  const open = async (kind: string, json: object = {}) => openStream((await mint(kind, json)).json.url);
  return { server, mint, open };
}
