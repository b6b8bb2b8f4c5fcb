import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { createKeyVault } from "./create-key-vault.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "parlance-vault-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const secret = Buffer.from("a voice that must be forgotten");

it("what was sealed can be opened, also by the next process, and shows nothing of itself", async () => {
  const sealed = await createKeyVault(join(folder, "keys")).seal("p_one", secret);
  expect(Buffer.from(sealed).includes("voice")).toBe(false);
  expect(await createKeyVault(join(folder, "keys")).open("p_one", sealed)).toEqual(secret);
});

it("a destroyed key is gone from the folder and opens nothing any more", async () => {
  const vault = createKeyVault(folder);
  const sealed = await vault.seal("p_one", secret);
  const key = readFileSync(join(folder, "p_one"));
  await vault.destroy("p_one");
  expect(readdirSync(folder)).toEqual([]);
  expect(key.length).toBe(32);
  await expect(vault.open("p_one", sealed)).rejects.toThrow(/key of p_one/);
  await vault.destroy("p_one");
  await vault.destroy("p_never");
});

it("each name has a key of its own, which only this user may read", async () => {
  const vault = createKeyVault(folder);
  const sealed = await vault.seal("p_one", secret);
  await vault.seal("p_two", secret);
  await expect(vault.open("p_two", sealed)).rejects.toThrow();
  expect((await vault.names(0)).sort()).toEqual(["p_one", "p_two"]);
  expect(statSync(join(folder, "p_one")).mode & 0o077).toBe(0);
});

it("what was changed after it was sealed is refused", async () => {
  const vault = createKeyVault(folder);
  const sealed = Buffer.from(await vault.seal("p_one", secret));
  sealed[20]! ^= 1;
  await expect(vault.open("p_one", sealed)).rejects.toThrow();
  await expect(vault.open("p_one", Buffer.alloc(5))).rejects.toThrow();
});

it("a name that would leave the folder is refused", async () => {
  await expect(createKeyVault(folder).seal("../p_one", secret)).rejects.toThrow(RangeError);
});
