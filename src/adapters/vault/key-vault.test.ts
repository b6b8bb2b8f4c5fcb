import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { openKeyVault } from "./key-vault.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "parlance-vault-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const secret = Buffer.from("a voice that must be forgotten");
const keysFile = () => readFileSync(join(folder, "vault", "keys"));

it("what was sealed can be opened, also by the next process, and shows nothing of itself", async () => {
  const vault = await openKeyVault(folder);
  await vault.create("p_one");
  const sealed = await vault.seal("p_one", secret);
  await vault.close();
  expect(Buffer.from(sealed).includes("voice")).toBe(false);
  expect(await (await openKeyVault(folder)).open("p_one", sealed)).toEqual(secret);
});

it("a destroyed key is in no file any more and opens nothing, and its name cannot be sealed under again", async () => {
  const vault = await openKeyVault(folder);
  await Promise.all(["p_zero", "p_one", "p_two"].map((name) => vault.create(name)));
  const sealed = await vault.seal("p_one", secret);
  const key = Buffer.from(vault.find("p_one")!);
  expect(keysFile().includes(key)).toBe(true);
  await vault.destroy(["p_one", "p_never"]);
  expect(keysFile().includes(key)).toBe(false);
  await expect(vault.open("p_one", sealed)).rejects.toThrow("data key of p_one");
  await expect(vault.seal("p_one", secret)).rejects.toThrow("data key of p_one");
  await vault.close();
  const names = (await openKeyVault(folder)).entries().map(({ name }) => name);
  expect(names.sort()).toEqual(["p_two", "p_zero"]);
});

it("a thousand keys that come and go take the room of the few that are left", async () => {
  const vault = await openKeyVault(folder);
  for (let round = 0; round < 10; round++) {
    const names = Array.from({ length: 100 }, (_, index) => `ext_${round}_${index}`);
    await Promise.all(names.map((name) => vault.create(name)));
    await vault.destroy(names);
  }
  expect(keysFile().length).toBe(100 * 128);
});

it("a key that a power cut left half written is no key, and its place is used again", async () => {
  const vault = await openKeyVault(folder);
  await vault.create("p_one");
  await vault.close();
  const bytes = keysFile();
  bytes[80]! ^= 1;
  writeFileSync(join(folder, "vault", "keys"), bytes.subarray(0, 100));
  const later = await openKeyVault(folder);
  expect(later.entries()).toEqual([]);
  await later.create("p_two");
  expect(keysFile().length).toBe(128);
});

it("each name has a key of its own, which only this user may read", async () => {
  const vault = await openKeyVault(folder);
  await vault.create("p_one");
  await vault.create("p_two");
  await expect(vault.open("p_two", await vault.seal("p_one", secret))).rejects.toThrow();
  expect(statSync(join(folder, "vault", "keys")).mode & 0o077).toBe(0);
});

it("what was changed after it was sealed is refused", async () => {
  const vault = await openKeyVault(folder);
  await vault.create("p_one");
  const sealed = Buffer.from(await vault.seal("p_one", secret));
  sealed[20]! ^= 1;
  await expect(vault.open("p_one", sealed)).rejects.toThrow();
  await expect(vault.open("p_one", Buffer.alloc(5))).rejects.toThrow("cut short");
});

it("an odd or a long name is refused", async () => {
  const vault = await openKeyVault(folder);
  await expect(vault.create("../p_one")).rejects.toThrow();
  await expect(vault.create("p".repeat(65))).rejects.toThrow();
});

it("the keys of a former version are taken over, and their files overwritten and removed", async () => {
  mkdirSync(join(folder, "persona-keys"));
  writeFileSync(join(folder, "persona-keys", "p_old"), Buffer.alloc(32, 7));
  const vault = await openKeyVault(folder);
  expect(vault.find("p_old")).toEqual(Buffer.alloc(32, 7));
  expect(existsSync(join(folder, "persona-keys"))).toBe(false);
});

it("a backup of keys brings back what was lost, and nothing that was destroyed there or here", async () => {
  const vault = await openKeyVault(folder);
  await vault.create("p_lost");
  await vault.create("p_here");
  await vault.create("p_there");
  const backup = { keys: vault.entries(), destroyed: [] };
  await vault.destroy(["p_here"]);
  await vault.close();
  // A vault that lost one key, and a backup that knows of another deletion.
  const bytes = keysFile();
  bytes.fill(0, 0, 128);
  writeFileSync(join(folder, "vault", "keys"), bytes);
  const later = await openKeyVault(folder);
  const other = await openKeyVault(mkdtempSync(join(folder, "other-")));
  await other.destroy(["p_there"]);
  await later.restore({ ...backup, destroyed: [...(await other.destroyed())] });
  expect(later.entries().map(({ name }) => name)).toEqual(["p_lost"]);
});
