import type { IncomingMessage } from "node:http";

/** A body that makes no progress for so long is given up: it may hold room that others wait for. */
const stalledBodyMs = 30_000;

/** Ends the connection with 408 when the rest of the body does not come. */
export function endStalledBody(request: IncomingMessage, afterMs = stalledBodyMs): void {
  // A request of this very program, without a connection.
  if (typeof request.setTimeout !== "function") return;
  // Short ones come with their head, and need no timer.
  if (request.complete) return;
  const { socket } = request;
  // By the request and not by the socket: Node destroys a socket whose time-out no request or reply listens to.
  request.setTimeout(afterMs, () => {
    if (request.complete) return;
    socket.write("HTTP/1.1 408 Request Timeout\r\nConnection: close\r\n\r\n");
    socket.destroySoon();
  });
  request.once("end", () => socket.setTimeout(0));
}
