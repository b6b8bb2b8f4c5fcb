import { deserialize, serialize } from "node:v8";
import type { Log } from "../../platform/log.ts";
import { askBus } from "../../ports/ask-bus.ts";
import type { Bus } from "../../ports/bus.ts";
import type { Vault } from "../../ports/vault.ts";
import type { DataKey } from "./key-file.ts";
import type { KeyVault } from "./key-vault.ts";
import { openWith, sealWith } from "./seal.ts";

type Message =
  | { type: "ask"; name: string }
  | { type: "destroy"; names: readonly string[] }
  | { type: "keep"; key: DataKey };

/** A server that has the key answers at once; a busy one within this (guess). */
const askMs = 2000;

/** A vault whose keys lie in the folder of each server, and nowhere else: a new key goes to all servers over the bus, one that is
 *  missing is asked for, and all forget together. Whatever crosses the bus is sealed with `transportKey`. A server that is away when
 *  a key is destroyed destroys its own at its start, when it finds that nothing is stored under the name. */
export function shareVault(
  vault: KeyVault,
  { bus, name, transportKey, log }: { bus: Bus; name: string; transportKey: Uint8Array; log: Log },
): Vault & { close(): void } {
  // Servers of before sent keys as they are, on a subject of its own.
  const subject = `${name}.vault.sealed`;
  const wrap = (message: Message | DataKey) => sealWith(transportKey, serialize(message));
  const unwrap = (data: Uint8Array): unknown => deserialize(openWith(transportKey, data));

  const subscription = bus.subscribe(subject, ({ data, replyTo }) => {
    handle(data, replyTo).catch((error) =>
      log.warn({ error: String(error) }, "a data key of another server was not taken in: is SVC_MASTER_KEY the same?"),
    );
  });

  async function handle(data: Uint8Array, replyTo: string | undefined): Promise<void> {
    const message = unwrap(data) as Message;
    if (message.type === "keep") return vault.keep(toKey(message.key));
    if (message.type === "destroy") return vault.destroy(message.names);
    const key = vault.find(message.name);
    if (key && replyTo !== undefined) bus.publish(replyTo, wrap({ name: message.name, key, madeAtMs: Date.now() }));
  }

  /** Brings the key here, when another server has it. */
  async function fetch(key: string): Promise<void> {
    if (vault.find(key)) return;
    const found = await askBus(bus, subject, wrap({ type: "ask", name: key }), askMs);
    if (found instanceof Uint8Array) await vault.keep(toKey(unwrap(found) as DataKey));
  }

  return {
    async create(key) {
      await vault.create(key);
      const made = vault.find(key);
      if (made) bus.publish(subject, wrap({ type: "keep", key: { name: key, key: made, madeAtMs: Date.now() } }));
    },
    async seal(key, secret) {
      await fetch(key);
      return vault.seal(key, secret);
    },
    async open(key, sealed) {
      await fetch(key);
      return vault.open(key, sealed);
    },
    async destroy(names) {
      await vault.destroy(names);
      bus.publish(subject, wrap({ type: "destroy", names }));
    },
    close: () => subscription.stop(),
  };
}

/** What was serialized comes back as a plain array of bytes. */
function toKey({ key, ...rest }: DataKey): DataKey {
  return { ...rest, key: Buffer.from(key) };
}
