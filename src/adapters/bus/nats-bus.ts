import { connect, type NatsConnection, type Subscription } from "@nats-io/transport-node";
import type { Log } from "../../platform/log.ts";
import type { Bus, BusMessage } from "../../ports/bus.ts";

/** How long after a loss the next try to connect begins. */
const reconnectMs = 250;
/** A server that does not answer pings for this long is gone, even if the network never says so. */
const pingMs = 2000;
const mostUnansweredPings = 2;

export interface NatsOptions {
  /** nats:// or tls:// addresses, separated by commas, with user:password@ or token@ where the servers ask for it. */
  readonly url: string;
  /** Of this process, for whoever looks at the server's connections. */
  readonly name: string;
  readonly log: Log;
}

/** Core NATS: nothing is stored there, and a lost connection is made again for as long as it takes. */
export async function connectNats({ url, name, log }: NatsOptions): Promise<Bus> {
  const servers = url.split(",").map((part) => new URL(part.trim()));
  const { username, password } = credentialsOf(servers);
  const connection = await connect({
    servers: servers.map(({ host }) => host),
    name,
    ...(servers.some(({ protocol }) => protocol === "tls:") ? { tls: {} } : {}),
    ...(password ? { user: decodeURIComponent(username), pass: decodeURIComponent(password) } : {}),
    ...(username && !password ? { token: decodeURIComponent(username) } : {}),
    maxReconnectAttempts: -1,
    reconnectTimeWait: reconnectMs,
    reconnectJitter: reconnectMs,
    pingInterval: pingMs,
    maxPingOut: mostUnansweredPings,
    timeout: 5000,
  });
  return new NatsBus(connection, log);
}

/** The client says the same to every server that it comes to, so whichever address names them, they are those of all. */
export function credentialsOf(servers: readonly URL[]): { username: string; password: string } {
  const [first, ...others] = servers.filter(({ username }) => username !== "");
  if (!first) return { username: "", password: "" };
  if (others.some(({ username, password }) => username !== first.username || password !== first.password)) {
    throw new Error(
      "The addresses of SVC_BUS_URL name different users or passwords; NATS servers of one cluster share them.",
    );
  }
  return first;
}

class NatsBus implements Bus {
  readonly kind = "nats";
  isUp = true;
  readonly #connection: NatsConnection;
  readonly #onDown: (() => void)[] = [];
  readonly #onUp: (() => void)[] = [];

  constructor(connection: NatsConnection, log: Log) {
    this.#connection = connection;
    void this.#watch(log);
  }

  get mostBytes(): number {
    return this.#connection.info?.max_payload ?? 1_000_000;
  }

  publish(subject: string, data: Uint8Array, replyTo?: string): void {
    // The client would keep it for later; by then whoever waits has given up.
    if (!this.isUp) return;
    try {
      this.#connection.publish(subject, data, replyTo === undefined ? undefined : { reply: replyTo });
    } catch {
      // The connection is closed or closing.
    }
  }

  subscribe(subject: string, onMessage: (message: BusMessage) => void, group?: string): { stop(): void } {
    const subscription: Subscription = this.#connection.subscribe(subject, {
      ...(group === undefined ? {} : { queue: group }),
      callback: (error, message) => {
        if (error) return;
        const { data, reply: replyTo } = message;
        onMessage({ subject: message.subject, data, replyTo, isNobody: message.headers?.code === 503 });
      },
    });
    return {
      stop() {
        if (!subscription.isClosed()) subscription.unsubscribe();
      },
    };
  }

  onDown(tell: () => void): void {
    this.#onDown.push(tell);
  }

  onUp(tell: () => void): void {
    this.#onUp.push(tell);
  }

  async close(): Promise<void> {
    await Promise.race([
      this.#connection.drain().catch(() => {}),
      // A server that is away cannot take what is left.
      new Promise((resolve) => setTimeout(resolve, 1000).unref()),
    ]);
    await this.#connection.close().catch(() => {});
  }

  async #watch(log: Log): Promise<void> {
    for await (const { type } of this.#connection.status()) {
      if (type === "disconnect") {
        this.isUp = false;
        log.warn({}, "the connection to NATS is lost");
        for (const tell of this.#onDown) tell();
      } else if (type === "reconnect") {
        this.isUp = true;
        log.info({}, "the connection to NATS is back");
        for (const tell of this.#onUp) tell();
      }
    }
  }
}
