import { type IncomingMessage, type RequestListener, Server, type ServerOptions, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { refuseHost, refuseHostOnSocket } from "./unreadable-request.ts";

/** Node's server, strict about `Host`, deaf to protocols it does not speak, and able to end its connections one reply at a time. */
export class NodeServer extends Server {
  readonly #readFromStart: (socket: Socket) => void;
  /** From here on every head says that its connection ends, also of replies that were begun before. */
  isEnding = false;

  constructor(options: ServerOptions, listener: RequestListener) {
    super({ ...options, requireHostHeader: false, ServerResponse: endingResponse(() => this.isEnding) }, listener);
    const [readFromStart] = this.listeners("connection") as ((socket: Socket) => void)[];
    this.#readFromStart = (socket) => readFromStart!.call(this, socket);
  }

  /** Requests without a host, or with two, are refused here. An offer to speak another protocol may be ignored (RFC 9110, 7.8). Java's client makes one, `h2c`, with its first request. */
  override emit(event: string, ...values: unknown[]): boolean {
    const [request, socket, rest] = values as [IncomingMessage, Socket, Buffer];
    const isAsked = event === "request" || event === "upgrade";
    const wrong = isAsked ? whatIsWrongWithHost(request) : undefined;
    if (wrong) {
      if (event === "request") refuseHost(values[1] as ServerResponse, wrong);
      else refuseHostOnSocket(socket, wrong);
      return true;
    }
    if (event !== "upgrade" || request.headers.upgrade?.toLowerCase() === "websocket") {
      return super.emit(event as never, ...(values as never[]));
    }
    socket.pause();
    socket.unshift(Buffer.concat([writeHead(request), rest]));
    this.#readFromStart(socket);
    socket.resume();
    return true;
  }
}

/** Node's own, whose head says that its connection ends when it does. */
function endingResponse(isEnding: () => boolean): typeof ServerResponse {
  return class<Request extends IncomingMessage> extends ServerResponse<Request> {
    override writeHead(...head: unknown[]): this {
      if (isEnding()) this.shouldKeepAlive = false;
      return super.writeHead(...(head as [number]));
    }
  };
}

/** Of two, a proxy may have believed the one that Node drops. */
function whatIsWrongWithHost({ rawHeaders, httpVersion }: IncomingMessage): string | undefined {
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    if (rawHeaders[at]!.length === 4 && rawHeaders[at]!.toLowerCase() === "host") hosts += 1;
  }
  if (hosts > 1) return 'The header "Host" is there more than once.';
  return hosts === 0 && httpVersion === "1.1" ? 'The header "Host" is missing.' : undefined;
}

const offers = new Set(["upgrade", "connection", "http2-settings"]);

/** The request as it came, without its offer. */
function writeHead({ method, url, rawHeaders }: IncomingMessage): Buffer {
  let head = `${method} ${url} HTTP/1.1\r\n`;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    if (!offers.has(rawHeaders[at]!.toLowerCase())) head += `${rawHeaders[at]}: ${rawHeaders[at + 1]}\r\n`;
  }
  return Buffer.from(`${head}\r\n`, "latin1");
}
