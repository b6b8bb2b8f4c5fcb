import { createHash, randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createWorkspace } from "../../src/accounts/workspaces.ts";
import { createJobQueue } from "../../src/adapters/jobs/create-job-queue.ts";
import { type KeyVault, openKeyVault } from "../../src/adapters/vault/key-vault.ts";
import { acceptContent, acceptDocument } from "../../src/extraction/documents/accept.ts";
import { type Contents, createContents } from "../../src/extraction/documents/contents.ts";
import { createDocumentStore, type DocumentStore } from "../../src/extraction/documents/store.ts";
import { parseTemplate } from "../../src/extraction/templates/parse-template.ts";
import { createTemplateStore, type TemplateStore } from "../../src/extraction/templates/store.ts";
import { silentLog } from "../../src/platform/log.ts";
import type { Database } from "../../src/ports/database.ts";
import type { JobQueue } from "../../src/ports/job-queue.ts";
import { databaseKinds, openTestDatabase } from "../support/databases.ts";

describe.each(databaseKinds)("on the %s database, extraction", (kind) => {
  let database: Database;
  let folder: string;
  let vault: KeyVault;
  let contents: Contents;
  let documents: DocumentStore;
  let jobs: JobQueue;
  let templates: TemplateStore;
  let workspaceId: string;
  let otherId: string;

  beforeAll(async () => {
    database = await openTestDatabase(kind);
    const { queries } = database;
    folder = mkdtempSync(join(tmpdir(), "parlance-store-"));
    vault = await openKeyVault(folder);
    const digest = (id: string, bytes: Uint8Array) => createHash("sha256").update(id).update(bytes).digest("hex");
    contents = createContents({ queries, vault, digest, storedBytes: 2_000_000 });
    documents = createDocumentStore(queries, vault, contents);
    jobs = createJobQueue(database, silentLog);
    templates = createTemplateStore(queries);
    workspaceId = (await createWorkspace(queries, "one", {})).id;
    otherId = (await createWorkspace(queries, "two", {})).id;
  });
  afterAll(async () => {
    await jobs.stop();
    await database.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const row = (id: string, createdAt = new Date()) => ({
    id,
    workspaceId,
    keyId: "key_1",
    fileName: "a.pdf",
    createdAt,
  });
  const accept = (id: string, bytes = Buffer.from([0, 1, 254, 255]), createdAt?: Date) =>
    acceptDocument({ documents, contents, jobs }, row(id, createdAt), bytes);
  const contentOf = async (id: string) => (await documents.findAny(id))!.contentId!;
  const count = async (table: string, where: string) =>
    (await database.queries.execute<{ n: number }>(sql.raw(`SELECT count(*)::int AS n FROM ${table} WHERE ${where}`)))
      .rows[0]!.n;

  it("keeps a file byte for byte and a result in its own order, and nothing of either can be read without its key", async () => {
    await accept("ext_a");
    const contentId = await contentOf("ext_a");
    expect(Buffer.from((await contents.read(contentId))!)).toEqual(Buffer.from([0, 1, 254, 255]));
    const result = {
      data: { zebra: 1, ant: null, "long name": [{ b: 1, a: 2 }] },
      fields: {},
      checks: [],
      warnings: [],
    };
    await documents.update("ext_a", { status: "completed", result, confidence: 0.5 });
    const found = await documents.find(workspaceId, "ext_a");
    expect(JSON.stringify(found?.result)).toBe(JSON.stringify(result));
    expect(found).toMatchObject({ confidence: 0.5, fileName: "a.pdf" });
    const { rows } = await database.queries.execute(sql`SELECT * FROM extractions WHERE id = 'ext_a'`);
    expect(JSON.stringify(rows)).not.toMatch(/zebra|a\.pdf/);
    await vault.destroy(["ext_a", contentId]);
    await expect(documents.findAny("ext_a")).rejects.toThrow("data key");
    await expect(contents.read(contentId)).rejects.toThrow("data key");
  });

  it("keeps a large file in parts, and removes them all with its keys", async () => {
    const bytes = randomBytes(700_001);
    expect(await accept("ext_large", bytes)).toBe(true);
    const contentId = await contentOf("ext_large");
    expect(Buffer.from((await contents.read(contentId))!).equals(bytes)).toBe(true);
    expect(await count("extraction_parts", `content_id = '${contentId}'`)).toBe(3);
    await documents.remove(workspaceId, "ext_large");
    expect(await count("extraction_parts", `content_id = '${contentId}'`)).toBe(0);
    expect([vault.find("ext_large"), vault.find(contentId)]).toEqual([undefined, undefined]);
  });

  it("stores the same bytes once in a workspace, and forgets them with the last extraction that uses them", async () => {
    const bytes = randomBytes(300_000);
    await accept("ext_same1", bytes);
    await accept("ext_same2", bytes);
    const contentId = await contentOf("ext_same1");
    expect(await acceptContent({ documents, contents, jobs }, row("ext_again"), contentId)).toBe("accepted");
    expect(await contentOf("ext_same2")).toBe(contentId);
    await acceptDocument({ documents, contents, jobs }, { ...row("ext_other"), workspaceId: otherId }, bytes);
    expect(await contentOf("ext_other")).not.toBe(contentId);
    await documents.remove(workspaceId, "ext_same1");
    await documents.remove(workspaceId, "ext_again");
    expect(Buffer.from((await contents.read(contentId))!).equals(bytes)).toBe(true);
    await documents.remove(workspaceId, "ext_same2");
    expect(vault.find(contentId)).toBeUndefined();
    expect(await acceptContent({ documents, contents, jobs }, row("ext_late"), contentId)).toBe("gone");
  });

  it("stores bytes anew whose key a restore has not brought back", async () => {
    const bytes = randomBytes(1000);
    await accept("ext_lost", bytes);
    const lost = await contentOf("ext_lost");
    await vault.destroy([lost]);
    await accept("ext_anew", bytes);
    expect(await contentOf("ext_anew")).not.toBe(lost);
  });

  it("refuses what goes beyond the share of a workspace, and says that deleting helps", async () => {
    await accept("ext_share", randomBytes(1_000_000));
    await expect(accept("ext_beyond", randomBytes(1_000_000))).rejects.toMatchObject({
      kind: "too_large",
      message: expect.stringMatching(/may keep 2 MB. Delete some/),
    });
    await documents.remove(workspaceId, "ext_share");
    expect(await accept("ext_beyond", randomBytes(1_000_000))).toBe(true);
    await documents.remove(workspaceId, "ext_beyond");
  });

  it("counts what was read towards the share, also from bytes that are stored already", async () => {
    const bytes = randomBytes(1000);
    await accept("ext_once", bytes);
    const contentId = await contentOf("ext_once");
    const again = (id: string) => acceptContent({ documents, contents, jobs }, row(id), contentId);
    expect(await again("ext_twice")).toBe("accepted");
    await documents.update("ext_twice", {
      result: { data: {}, fields: {}, checks: [], warnings: [randomBytes(1_600_000).toString("base64")] },
    });
    await expect(again("ext_thrice")).rejects.toMatchObject({ kind: "too_large" });
    await expect(accept("ext_thrice", bytes)).rejects.toMatchObject({ kind: "too_large" });
    await documents.remove(workspaceId, "ext_twice");
    expect(await again("ext_thrice")).toBe("accepted");
    for (const id of ["ext_once", "ext_thrice"]) await documents.remove(workspaceId, id);
  });

  it("removes an upload that was broken off, and its key", async () => {
    const id = await contents.write(workspaceId, randomBytes(10));
    await contents.removeUnused(new Date(Date.now() - 60_000));
    expect(vault.find(id)).toBeDefined();
    await contents.removeUnused(new Date(Date.now() + 1000));
    expect(vault.find(id)).toBeUndefined();
    expect(await count("extraction_contents", `id = '${id}'`)).toBe(0);
  });

  it("seals what a former version stored, when it is asked for and in the background", async () => {
    for (const id of ["ext_former1", "ext_former2"]) {
      const result = JSON.stringify({ data: { secret: "Kohlrabi" }, fields: {}, checks: [], warnings: [] });
      await database.queries.execute(sql`
        INSERT INTO extractions (id, workspace_id, key_id, status, file_name, result)
        VALUES (${id}, ${workspaceId}, 'key_1', 'completed', 'Kohlrabi.txt', ${result}::json)`);
      await database.queries.execute(sql`
        INSERT INTO extraction_files (extraction_id, part, bytes) VALUES (${id}, 0, 'Kohl'), (${id}, 1, 'rabi')`);
    }
    expect(await documents.findAny("ext_former1")).toMatchObject({
      fileName: "Kohlrabi.txt",
      documentsFound: 1,
      result: { data: { secret: "Kohlrabi" } },
    });
    expect(await documents.sealFormerRows()).toBe(1);
    expect(Buffer.from((await contents.read(await contentOf("ext_former2")))!).toString()).toBe("Kohlrabi");
    const { rows } = await database.queries.execute(sql`SELECT * FROM extractions WHERE id LIKE 'ext_former%'`);
    expect(JSON.stringify(rows)).not.toContain("Kohlrabi");
    expect(await count("extraction_files", "true")).toBe(0);
  });

  it("takes one document for each Idempotency-Key of a workspace", async () => {
    const insert = async (id: string, owner = workspaceId) =>
      documents.insert(await documents.seal({ ...row(id), workspaceId: owner, requestKey: "k", requestHash: "h" }));
    expect(await insert("ext_k1")).toBe(true);
    expect(await insert("ext_k2")).toBe(false);
    expect(await insert("ext_k3", otherId)).toBe(true);
    expect((await documents.findByRequestKey(workspaceId, "k"))?.id).toBe("ext_k1");
  });

  it("shows nothing of one workspace to another", async () => {
    await accept("ext_b");
    expect(await documents.find(otherId, "ext_b")).toBeUndefined();
    expect(await documents.remove(otherId, "ext_b")).toBe(false);
    expect(await documents.remove(workspaceId, "ext_b")).toBe(true);
    expect(await documents.findAny("ext_b")).toBeUndefined();
  });

  it("lists newest first, page by page, without gaps when moments are equal", async () => {
    const moment = new Date(Date.now() + 60_000);
    for (const id of ["ext_p1", "ext_p2", "ext_p3"]) await accept(id, undefined, moment);
    const first = await documents.list(workspaceId, 2, undefined);
    const rest = await documents.list(workspaceId, 2, { createdAt: first[1]!.createdAt, id: first[1]!.id });
    expect([...first, ...rest].slice(0, 3).map((row) => row.id)).toEqual(["ext_p3", "ext_p2", "ext_p1"]);
  });

  it("removes what is older than the retention, and knows what was left undone", async () => {
    await accept("ext_old", undefined, new Date(Date.now() - 40 * 86_400_000));
    await documents.removeOlderThan(new Date(Date.now() - 30 * 86_400_000));
    expect(await documents.findAny("ext_old")).toBeUndefined();
    await documents.insert(await documents.seal(row("ext_stuck")));
    expect((await documents.listUnfinished()).map((row) => row.id)).toContain("ext_stuck");
  });

  it("keeps every version of a template", async () => {
    const one = parseTemplate({ name: "T", fields: [{ name: "a" }] });
    const two = parseTemplate({ name: "T2", fields: [{ name: "b" }] });
    await templates.insert("tpl_1", workspaceId, one);
    expect(await templates.replace(otherId, "tpl_1", two)).toBeUndefined();
    expect(await templates.replace(workspaceId, "tpl_1", two)).toMatchObject({ version: 2, name: "T2" });
    expect((await templates.findVersion("tpl_1", 1))?.fields[0]?.name).toBe("a");
    expect(await templates.listVersions("tpl_1")).toMatchObject([{ version: 2 }, { version: 1 }]);
    expect(await templates.remove(workspaceId, "tpl_1")).toBe(true);
    expect(await templates.findVersion("tpl_1", 1)).toBeUndefined();
  });
});
