import { deserialize, serialize } from "node:v8";
import type { Log } from "../../platform/log.ts";
import { askBus } from "../../ports/ask-bus.ts";
import type { Bus } from "../../ports/bus.ts";
import type { Vault } from "../../ports/vault.ts";
import type { KeyVault } from "./create-key-vault.ts";

type Message = { type: "ask" | "destroy"; name: string } | { type: "keep"; name: string; key: Uint8Array };

/** Servers that have a key answer at once. Whoever makes a new key waits this long to learn that nobody has it. */
const beforeMakingMs = 300;
const beforeGivingUpMs = 2000;

/** A vault whose keys lie in the folder of each server, and nowhere else: a new key goes to all servers over the bus, one that is
 *  missing is asked for, and all forget together. A server that is away when a key is destroyed destroys its own at its start,
 *  when it finds that nothing is stored under the name. */
export function shareVault(vault: KeyVault, bus: Bus, name: string, log: Log): Vault & { close(): void } {
  const subject = `${name}.vault`;
  const send = (message: Message) => bus.publish(subject, serialize(message));

  const subscription = bus.subscribe(subject, ({ data, replyTo }) => {
    hear(deserialize(data) as Message, replyTo).catch((error) =>
      log.warn({ error: String(error) }, "a key of another server was not taken in"),
    );
  });

  async function hear(message: Message, replyTo: string | undefined): Promise<void> {
    if (message.type === "keep") await vault.keep(message.name, message.key);
    else if (message.type === "destroy") await vault.destroy(message.name);
    else if (replyTo !== undefined) {
      const key = await vault.find(message.name);
      if (key) bus.publish(replyTo, key);
    }
  }

  /** Brings the key here, when another server has it. */
  async function fetch(key: string, withinMs: number): Promise<void> {
    if (await vault.find(key)) return;
    const found = await askBus(bus, subject, serialize({ type: "ask", name: key } satisfies Message), withinMs);
    if (found instanceof Uint8Array) await vault.keep(key, found);
  }

  return {
    async seal(key, secret) {
      await fetch(key, beforeMakingMs);
      const isNew = (await vault.find(key)) === undefined;
      const sealed = await vault.seal(key, secret);
      if (isNew) send({ type: "keep", name: key, key: (await vault.find(key))! });
      return sealed;
    },
    async open(key, sealed) {
      await fetch(key, beforeGivingUpMs);
      return vault.open(key, sealed);
    },
    async destroy(key) {
      await vault.destroy(key);
      send({ type: "destroy", name: key });
    },
    names: (olderThanMs) => vault.names(olderThanMs),
    close: () => subscription.stop(),
  };
}
