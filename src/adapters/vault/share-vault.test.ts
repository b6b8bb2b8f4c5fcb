import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, it } from "vitest";
import { silentLog } from "../../platform/log.ts";
import { createMemoryBus } from "../bus/memory-bus.ts";
import { createKeyVault } from "./create-key-vault.ts";
import { shareVault } from "./share-vault.ts";

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

function openServer(bus = createMemoryBus()) {
  const folder = mkdtempSync(join(tmpdir(), "parlance-vault-"));
  folders.push(folder);
  const vault = shareVault(createKeyVault(folder), bus, "test", silentLog);
  return { vault, keys: () => readdirSync(folder) };
}

const secret = Buffer.from("a voice");

it("what one server seals another opens, also one that came later or was told nothing", async () => {
  const bus = createMemoryBus();
  const one = openServer(bus);
  const sealed = await one.vault.seal("per_1", secret);
  const late = openServer(bus);
  expect(Buffer.from(await late.vault.open("per_1", sealed)).toString()).toBe("a voice");
  expect(late.keys()).toEqual(["per_1"]);
});

it("every server has a new key, and none after it was destroyed", async () => {
  const bus = createMemoryBus();
  const one = openServer(bus);
  const other = openServer(bus);
  const sealed = await one.vault.seal("per_1", secret);
  await expect.poll(() => other.keys()).toEqual(["per_1"]);
  await other.vault.destroy("per_1");
  await expect.poll(() => one.keys()).toEqual([]);
  await expect(one.vault.open("per_1", sealed)).rejects.toThrow("is not in");
});

it("two servers seal under one key", async () => {
  const bus = createMemoryBus();
  const one = openServer(bus);
  const other = openServer(bus);
  const first = await one.vault.seal("per_1", secret);
  const second = await other.vault.seal("per_1", secret);
  expect(Buffer.from(await other.vault.open("per_1", first)).toString()).toBe("a voice");
  expect(Buffer.from(await one.vault.open("per_1", second)).toString()).toBe("a voice");
});
