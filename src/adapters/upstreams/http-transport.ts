import { connect as connectPlain, isIP } from "node:net";
import { connect as connectSafely } from "node:tls";
import { joinBytes, writeHeader } from "../../platform/http1/grammar.ts";
import type { UpstreamCall, UpstreamTransport } from "../../ports/model-upstream.ts";
import { Connection, type ConnectionParts, type ReadInto } from "./connection.ts";
import { Exchange } from "./exchange.ts";
import { connectMs, idleMs, mostConnections, type TransportOptions } from "./transport-options.ts";

const largestCopy = 65_536;

/**
 * Keeps connections to one host open and hands bytes on as they come. A client of our own, because of what it leaves out: HTTP/1.1
 * as upstreams speak it to one who asks one thing at a time takes half the time of a client that can do everything.
 */
export function createHttpTransport({ origin, silenceMs, ca }: TransportOptions): UpstreamTransport {
  const url = new URL(origin);
  const connections = new Set<Connection>();
  const idle: Connection[] = [];
  let waiting: Exchange[] = [];
  let isClosed = false;
  const timer = setInterval(checkTimes, Math.min(1_000, silenceMs / 4));
  timer.unref();

  const parts: Omit<ConnectionParts, "connect"> = {
    connectMs,
    silenceMs,
    idleMs,
    onFree(connection) {
      const next = nextWaiting();
      if (next) connection.take(next);
      else idle.push(connection);
    },
    onGone(connection) {
      connections.delete(connection);
      const at = idle.indexOf(connection);
      if (at >= 0) idle.splice(at, 1);
      const next = isClosed ? undefined : nextWaiting();
      if (next) open().take(next);
    },
    onStale(exchange) {
      exchange.isRepeated = true;
      start(exchange, undefined);
    },
  };

  function open(): Connection {
    const connection: Connection = new Connection({
      ...parts,
      connect: (onread) => connectTo(url, onread, ca, () => connection.onConnect()),
    });
    connections.add(connection);
    return connection;
  }

  function start(exchange: Exchange, known: Connection | undefined): void {
    if (isClosed) exchange.fail(new Error("the transport is destroyed"));
    else if (known) known.take(exchange);
    else if (connections.size < mostConnections) open().take(exchange);
    else waiting.push(exchange);
  }

  /** The one that was used last: it is the least likely to have been given up by the upstream. */
  function freshest(): Connection | undefined {
    const nowMs = performance.now();
    for (let connection = idle.pop(); connection; connection = idle.pop()) {
      if (connection.isFresh(nowMs)) return connection;
      connection.destroy();
    }
    return undefined;
  }

  function nextWaiting(): Exchange | undefined {
    let next = waiting.shift();
    while (next?.isOver) next = waiting.shift();
    return next;
  }

  function checkTimes(): void {
    const nowMs = performance.now();
    for (const connection of connections) connection.checkTime(nowMs);
  }

  return {
    origin,
    send(call, receiver) {
      const exchange = new Exchange(requestPieces(call, url.host), receiver);
      start(exchange, freshest());
      return () => exchange.breakOff();
    },
    async close() {
      isClosed = true;
      clearInterval(timer);
      const error = new Error("the transport is destroyed");
      for (const exchange of waiting) exchange.fail(error);
      waiting = [];
      for (const connection of connections) connection.destroy();
    },
  };
}

function connectTo(url: URL, onread: ReadInto, ca: string | undefined, onConnect: () => void) {
  // Addresses of version 6 stand in brackets.
  const host = url.hostname.replace(/^\[|\]$/g, "");
  const options = { host, noDelay: true, keepAlive: true, keepAliveInitialDelay: 60_000, onread };
  if (url.protocol !== "https:") return connectPlain({ ...options, port: Number(url.port || 80) }, onConnect);
  const servername = isIP(host) ? {} : { servername: host };
  const trusted = ca === undefined ? {} : { ca };
  return connectSafely(
    { ...options, port: Number(url.port || 443), ALPNProtocols: ["http/1.1"], ...servername, ...trusted },
    onConnect,
  );
}

/** Head and body in one piece where that costs a small copy and saves a call of the kernel. */
function requestPieces({ method, path, headers, body }: UpstreamCall, host: string): Buffer[] {
  if (/[^\x21-\x7e]/.test(path)) throw new Error("the path cannot be sent");
  const size = body?.length ?? 0;
  const length = method === "POST" ? `content-length: ${size}\r\n` : "";
  const head = `${method} ${path} HTTP/1.1\r\nhost: ${host}\r\n${headerLines(headers)}${length}\r\n`;
  if (body && size > largestCopy) return [Buffer.from(head, "latin1"), body];
  return [joinBytes(head, body)];
}

/** Many requests share their headers. */
const knownLines = new WeakMap<UpstreamCall["headers"], string>();
function headerLines(headers: UpstreamCall["headers"]): string {
  let lines = knownLines.get(headers);
  if (lines === undefined) {
    lines = "";
    for (const [name, value] of Object.entries(headers)) lines += writeHeader(name, value);
    knownLines.set(headers, lines);
  }
  return lines;
}
