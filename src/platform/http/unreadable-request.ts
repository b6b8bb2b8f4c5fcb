import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { FastifyReply, FastifyRequest } from "fastify";

/** What every service's clients can read, for requests that no service ever sees. */
function describe(status: number, message: string): string {
  return JSON.stringify({ error: { message, type: "invalid_request", param: null, code: status } });
}

/** Bytes that are no HTTP, a head that is too long or does not come. */
export function answerUnreadable(error: Error & { code?: string }, socket: Socket): void {
  // The client has gone, or its reply has begun.
  if (error.code === "ECONNRESET" || !socket.writable || socket.bytesWritten > 0) {
    socket.destroy();
    return;
  }
  const [status, reason, message] =
    error.code === "HPE_HEADER_OVERFLOW"
      ? ([431, "Request Header Fields Too Large", "The request's headers are larger than 16 kB."] as const)
      : error.code === "ERR_HTTP_REQUEST_TIMEOUT"
        ? ([408, "Request Timeout", "The request did not arrive in time."] as const)
        : ([400, "Bad Request", "This is no HTTP/1.1 request."] as const);
  answerOnSocket(socket, status, reason, message);
}

function answerOnSocket(socket: Socket, status: number, reason: string, message: string): void {
  const body = describe(status, message);
  const head = `HTTP/1.1 ${status} ${reason}\r\nContent-Type: application/json; charset=utf-8\r\n`;
  socket.write(`${head}Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`);
  // Whoever sent this need not close in turn, and would keep the descriptor.
  socket.destroySoon();
}

/** `Expect` with anything but 100-continue. */
export function refuseExpectation(_request: IncomingMessage, response: ServerResponse): void {
  refuse(response, 417, 'The only expectation that is met here is "100-continue".');
}

/** HTTP/1.1 wants one `Host` (RFC 9112, 3.2). Node would refuse none without a word, and take the first of two. */
export function refuseHost(response: ServerResponse, message: string): void {
  response.shouldKeepAlive = false;
  refuse(response, 400, message);
}

export function refuseHostOnSocket(socket: Socket, message: string): void {
  answerOnSocket(socket, 400, "Bad Request", message);
}

/** An address that cannot be read, such as `/%zz`. */
export function refuseAddress(_error: unknown, _request: FastifyRequest, reply: FastifyReply): void {
  refuse(reply.hijack().raw, 400, "The address of the request is not a valid one.");
}

function refuse(response: ServerResponse, status: number, message: string): void {
  response.writeHead(status, { "content-type": "application/json; charset=utf-8" });
  response.end(describe(status, message));
}
