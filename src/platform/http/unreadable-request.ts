import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";

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
  const body = describe(status, message);
  const head = `HTTP/1.1 ${status} ${reason}\r\nContent-Type: application/json; charset=utf-8\r\n`;
  socket.end(`${head}Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`);
}

/** `Expect` with anything but 100-continue. */
export function refuseExpectation(_request: IncomingMessage, response: ServerResponse): void {
  response.writeHead(417, { "content-type": "application/json; charset=utf-8" });
  response.end(describe(417, 'The only expectation that is met here is "100-continue".'));
}
