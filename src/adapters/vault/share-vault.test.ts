import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, it } from "vitest";
import { silentLog } from "../../platform/log.ts";
import { createMemoryBus } from "../bus/memory-bus.ts";
import { openKeyVault } from "./key-vault.ts";
import { shareVault } from "./share-vault.ts";

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

const transportKey = randomBytes(32);

async function openServer(bus = createMemoryBus(), key = transportKey) {
  const folder = mkdtempSync(join(tmpdir(), "parlance-vault-"));
  folders.push(folder);
  const own = await openKeyVault(folder);
  const vault = shareVault(own, { bus, name: "test", transportKey: key, log: silentLog });
  return { vault, own, keys: () => own.entries().map(({ name }) => name) };
}

const secret = Buffer.from("a voice");

it("what one server seals another opens, also one that came later or was told nothing", async () => {
  const bus = createMemoryBus();
  const one = await openServer(bus);
  await one.vault.create("per_1");
  const sealed = await one.vault.seal("per_1", secret);
  const late = await openServer(bus);
  expect(Buffer.from(await late.vault.open("per_1", sealed)).toString()).toBe("a voice");
  expect(late.keys()).toEqual(["per_1"]);
});

it("every server has a new key, and none after it was destroyed, not even one that hears of both in the wrong order", async () => {
  const bus = createMemoryBus();
  const one = await openServer(bus);
  const other = await openServer(bus);
  await one.vault.create("per_1");
  const sealed = await one.vault.seal("per_1", secret);
  const key = one.own.entries()[0]!;
  await expect.poll(() => other.keys()).toEqual(["per_1"]);
  await other.vault.destroy(["per_1"]);
  await expect.poll(() => one.keys()).toEqual([]);
  await one.own.keep(key);
  expect(one.keys()).toEqual([]);
  await expect(one.vault.open("per_1", sealed)).rejects.toThrow("is not in the vault");
});

it("two servers seal under one key", async () => {
  const bus = createMemoryBus();
  const one = await openServer(bus);
  const other = await openServer(bus);
  await one.vault.create("per_1");
  const first = await one.vault.seal("per_1", secret);
  const second = await other.vault.seal("per_1", secret);
  expect(Buffer.from(await other.vault.open("per_1", first)).toString()).toBe("a voice");
  expect(Buffer.from(await one.vault.open("per_1", second)).toString()).toBe("a voice");
});

it("whoever listens on the bus without the master key sees no key, and can neither plant nor destroy one", async () => {
  const bus = createMemoryBus();
  const overheard: Buffer[] = [];
  bus.subscribe("test.vault.sealed", ({ data }) => overheard.push(Buffer.from(data)));
  const one = await openServer(bus);
  const stranger = await openServer(bus, randomBytes(32));
  await one.vault.create("per_1");
  await expect.poll(() => overheard.length).toBe(1);
  const { key } = one.own.entries()[0]!;
  expect(overheard[0]!.includes(key)).toBe(false);
  await stranger.vault.destroy(["per_1"]);
  await stranger.vault.create("per_2");
  await expect.poll(() => overheard.length).toBe(3);
  expect([one.keys(), stranger.keys()]).toEqual([["per_1"], ["per_2"]]);
});
