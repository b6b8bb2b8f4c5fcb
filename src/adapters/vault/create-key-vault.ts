import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import { mkdir, open, readdir, readFile, rename, stat, unlink } from "node:fs/promises";
import { join } from "node:path";
import type { Vault } from "../../ports/vault.ts";

const CIPHER = "aes-256-gcm";
const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
/** Names become file names, so they must not be able to leave the folder. */
const NAME = /^[A-Za-z0-9_-]{1,128}$/;

export interface KeyVault extends Vault {
  /** The key itself, for servers that share it. */
  find(name: string): Promise<Buffer | undefined>;
  /** Keeps a key that another server has made, unless there is one. */
  keep(name: string, key: Uint8Array): Promise<void>;
}

/** A vault whose keys are files of a folder, one each: readable by this user alone, overwritten before they are removed. */
export function createKeyVault(folder: string): KeyVault {
  const pathOf = (name: string) => {
    if (!NAME.test(name)) throw new RangeError("not a name of a key");
    return join(folder, name);
  };

  let keeping: Promise<void> = Promise.resolve();

  async function store(name: string, key: Buffer): Promise<Buffer> {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    // Whole or not at all: half a key would lose what is sealed with it.
    const scratch = `${pathOf(name)}.new`;
    await writeDurably(scratch, key, "wx");
    await rename(scratch, pathOf(name));
    await syncFolder(folder);
    return key;
  }

  return {
    find: (name) => readKey(pathOf(name)),
    keep(name, key) {
      if (key.length !== KEY_BYTES) throw new RangeError("not a key");
      // One after the other: the same key may come twice at once.
      const kept = keeping.then(async () => {
        if (!(await readKey(pathOf(name)))) await store(name, Buffer.from(key));
      });
      keeping = kept.catch(() => {});
      return kept;
    },
    async seal(name, secret) {
      const key = (await readKey(pathOf(name))) ?? (await store(name, randomBytes(KEY_BYTES)));
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv(CIPHER, key, nonce);
      return Buffer.concat([nonce, cipher.update(secret), cipher.final(), cipher.getAuthTag()]);
    },
    async open(name, sealed) {
      const key = await readKey(pathOf(name));
      if (!key) throw new Error(`the key of ${name} is not in ${folder}`);
      const bytes = Buffer.from(sealed);
      const decipher = createDecipheriv(CIPHER, key, bytes.subarray(0, NONCE_BYTES));
      decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
      return Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()]);
    },
    async destroy(name) {
      const path = pathOf(name);
      for (const one of [path, `${path}.new`]) {
        if (!(await readKey(one))) continue;
        await writeDurably(one, randomBytes(KEY_BYTES), "r+");
        await unlink(one);
      }
      await syncFolder(folder);
    },
    async names(olderThanMs) {
      const found: string[] = [];
      for (const file of await readdir(folder).catch(ignoreMissing([]))) {
        const name = file.replace(/\.new$/, "");
        const made = await stat(join(folder, file)).catch(ignoreMissing(undefined));
        if (made && NAME.test(name) && Date.now() - made.mtimeMs >= olderThanMs) found.push(name);
      }
      return found;
    },
  };
}

function readKey(path: string): Promise<Buffer | undefined> {
  return readFile(path).catch(ignoreMissing(undefined));
}

async function writeDurably(path: string, bytes: Uint8Array, flags: "wx" | "r+"): Promise<void> {
  const file = await open(path, flags, 0o600);
  try {
    await file.write(bytes, 0, bytes.length, 0);
    await file.sync();
  } finally {
    await file.close();
  }
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, "r").catch(ignoreMissing(undefined));
  await handle?.sync();
  await handle?.close();
}

function ignoreMissing<Value>(instead: Value): (error: NodeJS.ErrnoException) => Value {
  return (error) => {
    if (error.code === "ENOENT") return instead;
    throw error;
  };
}
