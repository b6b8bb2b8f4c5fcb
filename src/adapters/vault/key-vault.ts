import { createHash, randomBytes } from "node:crypto";
import { appendFile, open, readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { Problem } from "../../platform/errors.ts";
import { KeyMissing, type Vault } from "../../ports/vault.ts";
import { type DataKey, KEY_BYTES, KeyFile, syncFolder } from "./key-file.ts";
import { openWith, sealWith } from "./seal.ts";

export interface KeyVault extends Vault {
  /** The key itself, for servers that share it. */
  find(name: string): Buffer | undefined;
  /** Keeps a key that another server has made, unless it was destroyed meanwhile. */
  keep(key: DataKey): Promise<void>;
  entries(): DataKey[];
  /** Fingerprints of all that was ever destroyed. */
  destroyed(): Promise<Set<string>>;
  /** Brings the keys of a backup in, but none that was destroyed there or here. Returns the fingerprints of all that is gone. */
  restore(backup: KeysBackup): Promise<Set<string>>;
  close(): Promise<void>;
}

export interface KeysBackup {
  readonly keys: readonly DataKey[];
  readonly destroyed: readonly string[];
}

/** What is kept of a name after its key: enough to recognise it, too little to tell it. */
export function fingerprintOf(name: string): string {
  return createHash("sha256").update(name).digest().subarray(0, FINGERPRINT_BYTES).toString("hex");
}

const FINGERPRINT_BYTES = 16;
/** Before there was one file, each persona's key was a file of its own here. */
const formerFolder = "persona-keys";

/** The vault of one server: its data keys are in `vault/keys` of the data folder, and nowhere else; `vault/destroyed` remembers which
 *  are gone, so that a backup of keys that is older than a deletion does not undo it. */
export async function openKeyVault(dataDir: string, now: () => number = Date.now): Promise<KeyVault> {
  const folder = join(dataDir, "vault");
  const destroyedPath = join(folder, "destroyed");
  const file = await KeyFile.open(join(folder, "keys"));
  await takeOver(join(dataDir, formerFolder), file);

  async function readDestroyed(): Promise<Set<string>> {
    const bytes = await readFile(destroyedPath).catch(ignoreMissing(Buffer.alloc(0)));
    const found = new Set<string>();
    for (let at = 0; at + FINGERPRINT_BYTES <= bytes.length; at += FINGERPRINT_BYTES)
      found.add(bytes.toString("hex", at, at + FINGERPRINT_BYTES));
    return found;
  }

  /** Of this process's time, since a key may come later than the word that it is destroyed. */
  const lately = new Set<string>();

  async function note(fingerprints: readonly string[]): Promise<void> {
    const added = fingerprints.filter((one) => !lately.has(one));
    if (added.length === 0) return;
    await appendFile(destroyedPath, Buffer.from(added.join(""), "hex"), { mode: 0o600, flush: true });
    for (const one of added) lately.add(one);
  }

  return {
    async create(name) {
      await file.add([{ name, key: randomBytes(KEY_BYTES), madeAtMs: now() }]).catch((cause) => {
        throw new Problem(
          "storage_down",
          "The server cannot write to its disk right now. Try again in a few seconds.",
          {
            retryAfterSeconds: 5,
            cause,
          },
        );
      });
    },
    async seal(name, secret) {
      return sealWith(getKey(name), secret);
    },
    async open(name, sealed) {
      return openWith(getKey(name), sealed);
    },
    async destroy(names) {
      // First what remembers: a power cut in between leaves a key that the next attempt finds.
      await note(names.map(fingerprintOf));
      await file.remove(names);
    },
    find: (name) => file.find(name),
    async keep(key) {
      if (!lately.has(fingerprintOf(key.name))) await file.add([key]);
    },
    entries: () => file.entries(),
    destroyed: readDestroyed,
    async restore({ keys, destroyed }) {
      const known = await readDestroyed();
      await note(destroyed.filter((one) => !known.has(one)));
      const gone = new Set([...known, ...destroyed]);
      const isGone = ({ name }: DataKey) => gone.has(fingerprintOf(name));
      await file.remove(
        file
          .entries()
          .filter(isGone)
          .map(({ name }) => name),
      );
      await file.add(keys.filter((key) => !isGone(key)));
      return gone;
    },
    close: () => file.close(),
  };

  function getKey(name: string): Buffer {
    const key = file.find(name);
    if (!key) throw new KeyMissing(name);
    return key;
  }
}

/** Keys of the former folder move into the file; each old one is overwritten before it is removed. */
async function takeOver(folder: string, file: KeyFile): Promise<void> {
  const names = await readdir(folder).catch(ignoreMissing([]));
  if (names.length === 0) return rm(folder, { recursive: true, force: true });
  const found: DataKey[] = [];
  for (const name of names) {
    const key = await readFile(join(folder, name));
    if (key.length === KEY_BYTES && !name.endsWith(".new")) found.push({ name, key, madeAtMs: Date.now() });
  }
  await file.add(found);
  for (const name of names) {
    const old = await open(join(folder, name), "r+");
    await old.write(randomBytes(KEY_BYTES), 0, KEY_BYTES, 0);
    await old.sync();
    await old.close();
  }
  await rm(folder, { recursive: true });
  await syncFolder(join(folder, ".."));
}

function ignoreMissing<Value>(instead: Value): (error: NodeJS.ErrnoException) => Value {
  return (error) => {
    if (error.code === "ENOENT") return instead;
    throw error;
  };
}
