import type { Bus, BusMessage, BusSubscription } from "../../ports/bus.ts";

interface Listener {
  readonly prefix: string | undefined;
  readonly subject: string;
  readonly group: string | undefined;
  readonly onMessage: (message: BusMessage) => void;
}

/** The bus of one process: everybody on it shares this object. */
export function createMemoryBus(mostBytes = 1_000_000): Bus {
  const listeners = new Set<Listener>();
  const turns = new Map<string, number>();

  function deliver(message: BusMessage): boolean {
    const hearing = [...listeners].filter(
      ({ prefix, subject }) =>
        subject === message.subject || (prefix !== undefined && message.subject.startsWith(prefix)),
    );
    const groups = new Map<string, Listener[]>();
    const chosen = hearing.filter((listener) => {
      if (listener.group === undefined) return true;
      const name = `${listener.subject} ${listener.group}`;
      groups.set(name, [...(groups.get(name) ?? []), listener]);
      return false;
    });
    for (const [name, members] of groups) {
      const turn = turns.get(name) ?? 0;
      turns.set(name, turn + 1);
      chosen.push(members[turn % members.length]!);
    }
    for (const { onMessage } of chosen) onMessage(message);
    return chosen.length > 0;
  }

  return {
    kind: "memory",
    mostBytes,
    isUp: true,
    publish(subject, data, replyTo) {
      // Later, as every other bus does it: a sender never finds itself inside its receiver.
      setImmediate(() => {
        const isHeard = deliver({ subject, data, replyTo, isNobody: false });
        if (!isHeard && replyTo !== undefined) {
          deliver({ subject: replyTo, data: new Uint8Array(), replyTo: undefined, isNobody: true });
        }
      });
    },
    subscribe(subject, onMessage, group): BusSubscription {
      const prefix = subject.endsWith(".>") ? subject.slice(0, -1) : undefined;
      const listener = { prefix, subject, group, onMessage };
      listeners.add(listener);
      return { stop: () => void listeners.delete(listener) };
    },
    onDown() {},
    onUp() {},
    async close() {
      listeners.clear();
    },
  };
}
