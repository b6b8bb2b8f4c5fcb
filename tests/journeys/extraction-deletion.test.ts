import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { blob, call, form } from "../support/call.ts";
import { filesHolding } from "../support/files-holding.ts";
import { restore } from "../support/restore.ts";
import { startServer, type TestServer } from "../support/start-server.ts";

const folder = mkdtempSync(join(tmpdir(), "parlance-deletion-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const words = "Rhabarberschorle";
const letter = (number: number) => `Invoice number: ${words}-${number}\nTotal: 12.00 EUR\n`;

async function start(name: string, key?: string): Promise<TestServer> {
  const server = await startServer({ SVC_DATA_DIR: join(folder, name), SVC_ENGINES: "extraction" });
  return { ...server, key: server.key || key! };
}

async function extract({ url, key }: TestServer, text: string): Promise<string> {
  const body = new FormData();
  body.append("file", new Blob([text]), `${words}.txt`);
  const { status, json } = await call(`${url}/extraction/v1/extract?wait=60`, { key, body });
  expect([status, json.status]).toEqual([200, "completed"]);
  expect(JSON.stringify(json)).toContain(words);
  return json.id;
}

const fetchOne = ({ url, key }: TestServer, id: string) => call(`${url}/extraction/v1/extractions/${id}`, { key });
const remove = ({ url, key }: TestServer, id: string) =>
  call(`${url}/extraction/v1/extractions/${id}`, { key, method: "DELETE" });

/** The data key as the vault of a data folder has it. */
function readKey(name: string, id: string): Buffer | undefined {
  const bytes = readFileSync(join(folder, name, "vault", "keys"));
  const slots = Array.from({ length: bytes.length / 128 }, (_, slot) => bytes.subarray(slot * 128, (slot + 1) * 128));
  const slot = slots.find((one) => one.toString("latin1", 0, id.length + 1) === `${id}\0`);
  return slot && Buffer.from(slot.subarray(72, 104));
}

describe("a document", () => {
  it("is in no file of the data folder in a form that anybody can read, and after its deletion neither is its key", async () => {
    const server = await start("one");
    const id = await extract(server, letter(1));
    const fields = { purchase_order: words };
    const corrected = await call(`${server.url}/extraction/v1/extractions/${id}`, {
      method: "PATCH",
      key: server.key,
      json: { fields },
    });
    expect([200, 400]).toContain(corrected.status);
    const traces = [words, Buffer.from(words).toString("base64").slice(0, 18), Buffer.from(words).toString("hex")];
    expect(filesHolding(server.dataDir, traces)).toEqual([]);
    const key = readKey("one", id)!;
    expect(filesHolding(server.dataDir, [key])).toEqual([join(server.dataDir, "vault", "keys")]);
    expect((await remove(server, id)).status).toBe(200);
    expect(filesHolding(server.dataDir, [key, ...traces])).toEqual([]);
    await server.close();
    expect(filesHolding(server.dataDir, [key, ...traces])).toEqual([]);
  });

  it("that was deleted after a backup stays deleted when the backup is restored with the newest keys", async () => {
    const server = await start("two");
    const { key } = server;
    const kept = await extract(server, letter(1));
    const gone = await extract(server, letter(2));
    const [file, keys] = [join(folder, "backup.tar.gz"), join(folder, "backup.keys")];
    const dataDir = server.dataDir;
    await server.admin("backup", { file, keys, dataDir });
    expect(filesHolding(folder, [readKey("two", kept)!.toString("base64")])).toEqual([keys]);
    await remove(server, gone);
    await server.admin("backup", { file: join(folder, "later.tar.gz"), keys, dataDir });
    await server.close();

    expect(await restore(join(folder, "three"), { file, keys })).toMatchObject({ deleted_since: 1, without_key: 0 });
    const third = await start("three", key);
    expect((await fetchOne(third, kept)).json.data.invoice_number).toBe(`${words}-1`);
    expect((await fetchOne(third, gone)).status).toBe(404);
    await third.close();
  });

  it("of a backup that is restored without its keys is listed, cannot be read, and says why", async () => {
    const server = await start("four");
    const id = await extract(server, letter(3));
    const file = join(folder, "sealed.tar.gz");
    await server.admin("backup", { file, dataDir: server.dataDir });
    await server.close();
    expect(await restore(join(folder, "five"), { file })).toMatchObject({ deleted_since: 0, without_key: 1 });
    const restored = await start("five", server.key);
    const list = await call(`${restored.url}/extraction/v1/extractions`, { key: server.key });
    expect(list.json.extractions).toMatchObject([{ id, status: "completed", file_name: "" }]);
    const { status, json } = await fetchOne(restored, id);
    expect([status, json.error.message]).toEqual([502, expect.stringContaining("data key")]);
    expect((await remove(restored, id)).status).toBe(200);
    await restored.close();
  });
});

describe("a document that is read again", () => {
  it("is not stored a second time, and stays until its last reading is deleted", async () => {
    const server = await start("six");
    const id = await extract(server, letter(4));
    const again = await call(`${server.url}/extraction/v1/extractions/${id}/rerun?wait=60`, {
      key: server.key,
      json: {},
    });
    expect(again.json).toMatchObject({ status: "completed", file_name: `${words}.txt` });
    await remove(server, id);
    const file = await call(`${server.url}/extraction/v1/extractions/${again.json.id}/file`, { key: server.key });
    expect(file.text).toBe(letter(4));
    await remove(server, again.json.id);
    const once = await call(`${server.url}/extraction/v1/extract?wait=60`, {
      key: server.key,
      body: form({ file: blob(letter(4)) }),
    });
    expect(once.json.status).toBe("completed");
    await server.close();
  });
});

describe("a workspace that has its share of the disk", () => {
  it("stores nothing more, neither documents nor readings nor corrections, until something is deleted", async () => {
    const own = await startServer({
      SVC_DATA_DIR: join(folder, "seven"),
      SVC_ENGINES: "extraction",
      SVC_EXTRACTION_STORED: "1.1KB",
    });
    const { url, key } = own;
    const id = await extract(own, letter(5).repeat(20));
    const upload = (text: string) =>
      call(`${url}/extraction/v1/extract?wait=60`, { key, body: form({ file: blob(text) }) });
    const more = [
      () => upload(letter(6)),
      () => upload(letter(5).repeat(20)),
      () => call(`${url}/extraction/v1/extractions/${id}/rerun`, { key, json: {} }),
      () =>
        call(`${url}/extraction/v1/extractions/${id}`, {
          method: "PATCH",
          key,
          json: { fields: { invoice_number: "7" } },
        }),
    ];
    for (const ask of more) {
      const { status, json } = await ask();
      expect([status, json.error]).toMatchObject([
        413,
        { type: "file_too_large", message: expect.stringContaining("Delete some") },
      ]);
    }
    await remove(own, id);
    expect((await upload(letter(6))).json.status).toBe("completed");
    await own.close();
  });
});
