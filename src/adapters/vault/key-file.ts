import { createHash, randomBytes } from "node:crypto";
import { type FileHandle, mkdir, open, stat } from "node:fs/promises";
import { dirname } from "node:path";

export interface DataKey {
  readonly name: string;
  readonly key: Buffer;
  readonly madeAtMs: number;
}

export const KEY_BYTES = 32;
/** Of any id that this program makes, and longer ones. */
const NAME = /^[\w-]{1,64}$/;
/** name 64, when it was made 8, key 32, checksum 16, and room to grow. */
const SLOT_BYTES = 128;
const CHECKED_BYTES = 104;

/** Data keys in one file of fixed slots, readable by this user alone. A key that is removed is overwritten where it lies, and its slot
 *  used again. A slot that a power cut left half written fails its checksum and counts as free. Only one process may have it open. */
export class KeyFile {
  readonly #file: FileHandle;
  readonly #keys = new Map<string, DataKey & { readonly slot: number }>();
  readonly #free: number[] = [];
  #slots = 0;
  #syncing: Promise<void> = Promise.resolve();
  #nextSync: Promise<void> | undefined;

  static async open(path: string): Promise<KeyFile> {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    const isNew = !(await stat(path).catch(() => undefined));
    const file = new KeyFile(await open(path, isNew ? "wx+" : "r+", 0o600));
    await file.#read();
    if (isNew) await syncFolder(dirname(path));
    return file;
  }

  private constructor(file: FileHandle) {
    this.#file = file;
  }

  find(name: string): Buffer | undefined {
    return this.#keys.get(name)?.key;
  }

  entries(): DataKey[] {
    return [...this.#keys.values()].map(({ name, key, madeAtMs }) => ({ name, key, madeAtMs }));
  }

  /** On disk when it resolves. A name that is there keeps its key. */
  async add(added: readonly DataKey[]): Promise<void> {
    const writes: Promise<unknown>[] = [];
    for (const entry of added) {
      if (!NAME.test(entry.name) || entry.key.length !== KEY_BYTES) throw new RangeError("not a data key");
      if (this.#keys.has(entry.name)) continue;
      const slot = this.#free.pop() ?? this.#slots++;
      this.#keys.set(entry.name, { ...entry, slot });
      writes.push(
        this.#write(slot, encode(entry)).catch((error) => {
          // A full disk: nothing may be sealed with a key that a restart would lose.
          this.#keys.delete(entry.name);
          this.#free.push(slot);
          throw error;
        }),
      );
    }
    await Promise.all(writes);
    await this.#sync();
  }

  async remove(names: readonly string[]): Promise<void> {
    const found = names.flatMap((name) => this.#keys.get(name) ?? []);
    for (const { name } of found) this.#keys.delete(name);
    await Promise.all(found.map(({ slot }) => this.#write(slot, randomBytes(SLOT_BYTES))));
    await this.#sync();
    this.#free.push(...found.map(({ slot }) => slot));
  }

  close(): Promise<void> {
    return this.#file.close();
  }

  async #read(): Promise<void> {
    const { size } = await this.#file.stat();
    const bytes = Buffer.alloc(size);
    await this.#file.read(bytes, 0, size, 0);
    this.#slots = Math.ceil(size / SLOT_BYTES);
    for (let slot = 0; slot < this.#slots; slot++) {
      const entry = decode(bytes.subarray(slot * SLOT_BYTES, (slot + 1) * SLOT_BYTES));
      if (entry) this.#keys.set(entry.name, { ...entry, slot });
      else this.#free.push(slot);
    }
  }

  #write(slot: number, bytes: Buffer): Promise<unknown> {
    return this.#file.write(bytes, 0, SLOT_BYTES, slot * SLOT_BYTES);
  }

  /** Whoever comes while a sync runs shares the next one. */
  #sync(): Promise<void> {
    this.#nextSync ??= this.#syncing
      .catch(() => {})
      .then(() => {
        this.#nextSync = undefined;
        this.#syncing = this.#file.datasync();
        return this.#syncing;
      });
    return this.#nextSync;
  }
}

function encode({ name, madeAtMs, key }: DataKey): Buffer {
  const slot = Buffer.alloc(SLOT_BYTES);
  slot.write(name, 0, "latin1");
  slot.writeDoubleBE(madeAtMs, 64);
  key.copy(slot, 72);
  checksum(slot).copy(slot, CHECKED_BYTES);
  return slot;
}

function decode(slot: Buffer): DataKey | undefined {
  if (slot.length < SLOT_BYTES) return undefined;
  if (!checksum(slot).equals(slot.subarray(CHECKED_BYTES, CHECKED_BYTES + 16))) return undefined;
  const name = slot.toString("latin1", 0, 64).replace(/\0+$/, "");
  return { name, madeAtMs: slot.readDoubleBE(64), key: Buffer.from(slot.subarray(72, CHECKED_BYTES)) };
}

function checksum(slot: Buffer): Buffer {
  return createHash("sha256").update(slot.subarray(0, CHECKED_BYTES)).digest().subarray(0, 16);
}

/** A new file's name is on disk only when its folder is. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, "r");
  await handle.sync();
  await handle.close();
}
