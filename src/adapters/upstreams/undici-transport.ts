import { type Dispatcher, Pool } from "undici";
import type { UpstreamCall, UpstreamReceiver, UpstreamTransport } from "../../ports/model-upstream.ts";

export interface TransportOptions {
  origin: string;
  /** How long the upstream may be silent, before its head and between two chunks. */
  silenceMs: number;
}

const connections = 512;
const connectMs = 5_000;

/** Keeps connections to one host open and hands bytes on as they come. */
export function createUndiciTransport({ origin, silenceMs }: TransportOptions): UpstreamTransport {
  const pool = new Pool(origin, {
    connections,
    pipelining: 1,
    headersTimeout: silenceMs,
    bodyTimeout: silenceMs,
    keepAliveTimeout: 30_000,
    connect: { timeout: connectMs },
  });
  return {
    origin,
    send: (call, receiver) => send(pool, call, receiver),
    close: () => pool.destroy(),
  };
}

function send(pool: Pool, call: UpstreamCall, receiver: UpstreamReceiver): () => void {
  let controller: Dispatcher.DispatchController | undefined;
  let isAborted = false;
  let isOver = false;
  const fail = (error: Error) => {
    if (isOver) return;
    isOver = true;
    receiver.onFailure(error);
  };
  const handler: Dispatcher.DispatchHandler = {
    onRequestStart(started) {
      controller = started;
      if (isAborted) started.abort(new AbortedError());
    },
    onResponseStart(started, status, headers) {
      // 1xx are said on the way; the reply's own head follows.
      if (status < 200) return;
      receiver.onHead(status, headers, { pause: () => started.pause(), resume: () => started.resume() });
    },
    onResponseData(_started, chunk) {
      receiver.onData(chunk as Buffer);
    },
    onResponseEnd() {
      if (isOver) return;
      isOver = true;
      receiver.onEnd();
    },
    onResponseError(_started, error) {
      fail(error);
    },
  };
  try {
    pool.dispatch(
      {
        method: call.method,
        path: call.path,
        headers: call.headers as Record<string, string>,
        body: call.body ?? null,
      },
      handler,
    );
  } catch (error) {
    // Never on this stack: the caller has not yet got what it needs to handle it.
    queueMicrotask(() => fail(error as Error));
  }
  return () => {
    isAborted = true;
    if (!isOver) controller?.abort(new AbortedError());
  };
}

class AbortedError extends Error {
  constructor() {
    super("broken off");
    this.name = "AbortedError";
  }
}
