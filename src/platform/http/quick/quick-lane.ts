import { type RequestListener, Server, type ServerOptions } from "node:http";
import type { Socket } from "node:net";
import { QuickConnection, type QuickHandler } from "./quick-connection.ts";

/** The few routes that are called a thousand times a second, by their whole path. */
export type QuickLane = Map<string, QuickHandler>;

const checkEveryMs = 2_000;

/**
 * Node's server with a lane beside it, for plain requests to the few routes in `lane`: small JSON posts whose head can be read in
 * one way only. Everything else, and every connection that once sends anything else, is Node's, byte for byte.
 */
export class LanedServer extends Server {
  readonly #quick = new Set<QuickConnection>();

  constructor(lane: QuickLane, options: ServerOptions & { headersTimeout: number }, listener: RequestListener) {
    super(options, listener);
    const [takeOver] = this.listeners("connection") as ((socket: Socket) => void)[];
    this.removeAllListeners("connection");
    const parts = {
      handlerFor: (path: string) => lane.get(path),
      keepAliveSeconds: Math.floor(this.keepAliveTimeout / 1000),
      handOver: (socket: Socket) => takeOver!.call(this, socket),
      onGone: (connection: QuickConnection) => this.#quick.delete(connection),
    };
    this.on("connection", (socket: Socket) => {
      this.#quick.add(new QuickConnection(socket, options.headersTimeout, parts));
    });
    const timer = setInterval(() => {
      const nowMs = performance.now();
      for (const connection of this.#quick) connection.checkTime(nowMs);
    }, checkEveryMs);
    timer.unref();
    this.on("close", () => clearInterval(timer));
  }

  override closeIdleConnections(): void {
    super.closeIdleConnections();
    for (const connection of this.#quick) connection.closeIdle();
  }

  override closeAllConnections(): void {
    super.closeAllConnections();
    for (const connection of this.#quick) connection.destroy();
  }
}
