import { type Dispatcher, Pool } from "undici";
import {
  SilentError,
  UnreachableError,
  type UpstreamReceiver,
  type UpstreamTransport,
} from "../../ports/model-upstream.ts";
import { connectMs, idleMs, mostConnections, type TransportOptions } from "./transport-options.ts";

/** The same promises by undici, for those who would rather not use a client of our own. */
export function createUndiciTransport({ origin, silenceMs, ca }: TransportOptions): UpstreamTransport {
  const pool = new Pool(origin, {
    connections: mostConnections,
    pipelining: 1,
    keepAliveTimeout: idleMs,
    headersTimeout: silenceMs,
    bodyTimeout: silenceMs,
    connect: { timeout: connectMs, ...(ca === undefined ? {} : { ca }) },
  });
  return {
    origin,
    send({ method, path, headers, body }, receiver) {
      const exchange = new UndiciExchange(receiver);
      pool.dispatch({ method, path, headers, body: body ?? null }, exchange);
      return () => exchange.breakOff();
    },
    close: () => pool.destroy(),
  };
}

/** One request. Ends once. */
class UndiciExchange implements Dispatcher.DispatchHandler {
  readonly #receiver: UpstreamReceiver;
  #controller: Dispatcher.DispatchController | undefined;
  #isOver = false;

  constructor(receiver: UpstreamReceiver) {
    this.#receiver = receiver;
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#isOver) controller.abort(new Error("broken off"));
  }

  onResponseStart(controller: Dispatcher.DispatchController, status: number, headers: Record<string, unknown>): void {
    if (this.#isOver || status < 200) return;
    const header = (name: string) => [headers[name]].flat()[0] as string | undefined;
    this.#receiver.onHead({ status, header }, controller);
  }

  onResponseData(_controller: unknown, chunk: Buffer): void {
    if (!this.#isOver) this.#receiver.onData(chunk);
  }

  onResponseEnd(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#receiver.onEnd();
  }

  onResponseError(_controller: unknown, error: Error): void {
    this.#fail(explain(error, this.#controller !== undefined));
  }

  breakOff(): void {
    this.#fail(new Error("broken off"));
    this.#controller?.abort(new Error("broken off"));
  }

  /** Never on the stack of whoever sends or breaks off. */
  #fail(error: Error): void {
    if (this.#isOver) return;
    this.#isOver = true;
    queueMicrotask(() => this.#receiver.onFailure(error));
  }
}

function explain(cause: Error, isSent: boolean): Error {
  const { code } = cause as { code?: string };
  if (code === "UND_ERR_HEADERS_TIMEOUT" || code === "UND_ERR_BODY_TIMEOUT") {
    return new SilentError("the upstream was silent for too long", { cause });
  }
  return isSent ? cause : new UnreachableError(cause.message, { cause });
}
