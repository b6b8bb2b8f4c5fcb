import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

export interface Forwarder {
  readonly port: number;
  /** Where connections go from now on; those that are open stay where they are. */
  target: number;
  /** Breaks every connection, and refuses new ones. */
  cut(): void;
  /** Holds back every byte, in both directions, and takes new connections without a word: nobody is told that the way is gone. */
  stall(): void;
  /** What was held back goes on, and new connections are taken again. */
  heal(): void;
  close(): Promise<void>;
}

/** A way through the loopback that a test can break: it passes on what comes to a port of its own. */
export async function startForwarder(target: number): Promise<Forwarder> {
  let state: "open" | "cut" | "stalled" = "open";
  const sockets = new Set<Socket>();
  const forwarder = { target };

  function keep(socket: Socket): Socket {
    sockets.add(socket);
    socket.on("error", () => {});
    socket.once("close", () => sockets.delete(socket));
    return socket;
  }

  function pass(from: Socket, to: Socket): void {
    from.on("data", (bytes) => {
      if (!to.write(bytes)) {
        from.pause();
        to.once("drain", () => state !== "stalled" && from.resume());
      }
    });
    from.once("close", () => to.destroy());
    if (state === "stalled") from.pause();
  }

  const server = createServer((incoming) => {
    keep(incoming);
    if (state === "cut") return incoming.destroy();
    const outgoing = keep(connect(forwarder.target, "127.0.0.1"));
    pass(incoming, outgoing);
    pass(outgoing, incoming);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");

  return Object.assign(forwarder, {
    port: (server.address() as AddressInfo).port,
    cut() {
      state = "cut";
      for (const socket of sockets) socket.destroy();
    },
    stall() {
      state = "stalled";
      for (const socket of sockets) socket.pause();
    },
    heal() {
      state = "open";
      for (const socket of sockets) socket.resume();
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
    },
  });
}
