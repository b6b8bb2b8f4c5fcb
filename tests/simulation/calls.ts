import type { LeaseStore } from "../../src/credits/lease-store.ts";
import type { Bus, BusMessage } from "../../src/ports/bus.ts";
import type { Chance } from "./chance.ts";
import type { Server } from "./server.ts";

/** How a call goes: it never arrives, its answer is lost, or all is well. */
export type Fate = "unheard" | "unanswered" | "done";

interface Waiting {
  readonly server: Server;
  go(fate: Fate): Promise<void>;
}

/** Calls that servers have made and that have not happened yet. Which is next, and how it goes, is for the seed to say. */
export class Calls {
  #waiting: Waiting[] = [];
  readonly #chance: Chance;
  readonly #tellTime: () => Promise<void>;
  #isUnaudited = true;

  constructor(chance: Chance, tellTime: () => Promise<void>) {
    this.#chance = chance;
    this.#tellTime = tellTime;
  }

  get count(): number {
    return this.#waiting.length;
  }

  /** Whether the database was asked for something since this was last looked at: otherwise it is as it was. */
  takeUnaudited(): boolean {
    const isUnaudited = this.#isUnaudited;
    this.#isUnaudited = false;
    return isUnaudited;
  }

  /** A call of the database. */
  ask<Result>(server: Server, work: () => Promise<Result>): Promise<Result> {
    return this.make(server, async () => {
      this.#isUnaudited = true;
      await this.#tellTime();
      return work();
    });
  }

  make<Result>(server: Server, work: () => Promise<Result>): Promise<Result> {
    return new Promise((resolve, reject) => {
      const go = async (fate: Fate) => {
        if (fate === "unheard") return reject(new Error("no connection"));
        try {
          const result = await work();
          if (fate === "unanswered") reject(new Error("connection lost"));
          else resolve(result);
        } catch (error) {
          reject(error);
        }
      };
      this.#waiting.push({ server, go });
    });
  }

  /** One of them happens. Those of a server that is no more never do. */
  async happen(): Promise<void> {
    const next = this.#chance.draw(this.#waiting);
    if (!next || next.server.isDead) return;
    await next.go(this.#fateOf(next.server));
  }

  #fateOf({ isCutOff, troubles }: Server): Fate {
    if (isCutOff) return "unheard";
    if (!this.#chance.is(troubles)) return "done";
    return this.#chance.is(0.5) ? "unheard" : "unanswered";
  }
}

/** The real store, each of whose methods is a call. */
export function callsOf(calls: Calls, server: Server, store: LeaseStore): LeaseStore {
  return new Proxy(store, {
    get(target, name) {
      const method = Reflect.get(target, name) as (...args: unknown[]) => Promise<unknown>;
      if (name === "within") return method;
      return (...args: unknown[]) => calls.ask(server, () => method(...args));
    },
  });
}

interface Listener {
  readonly server: Server;
  readonly subject: string;
  hear(message: BusMessage): void;
}

/** A bus whose messages are calls, and may be lost. */
export class Wire {
  readonly #listeners = new Set<Listener>();
  readonly #calls: Calls;

  constructor(calls: Calls) {
    this.#calls = calls;
  }

  of(server: Server): Bus {
    return {
      kind: "nats",
      mostBytes: 1_000_000,
      isUp: true,
      publish: (subject, data, replyTo) => {
        this.#calls
          .make(server, async () => this.#deliver({ subject, data, replyTo, isNobody: false }))
          // Whoever waits hears nothing.
          .catch(() => {});
      },
      subscribe: (subject, hear) => {
        const listener = { server, subject, hear };
        this.#listeners.add(listener);
        return { stop: () => void this.#listeners.delete(listener) };
      },
      onDown() {},
      onUp() {},
      async close() {},
    };
  }

  #deliver(message: BusMessage): void {
    const heard = [...this.#listeners].filter(({ server, subject }) => subject === message.subject && !server.isDead);
    for (const { server, hear } of heard) if (!server.isCutOff) server.run(() => hear(message));
    if (heard.length > 0 || message.replyTo === undefined) return;
    this.#deliver({ subject: message.replyTo, data: new Uint8Array(), replyTo: undefined, isNobody: true });
  }
}
