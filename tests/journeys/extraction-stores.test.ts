import { randomBytes } from "node:crypto";
import { sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createWorkspace } from "../../src/accounts/workspaces.ts";
import { createJobQueue } from "../../src/adapters/jobs/create-job-queue.ts";
import { acceptDocument } from "../../src/extraction/documents/accept.ts";
import { createDocumentStore, type DocumentStore } from "../../src/extraction/documents/store.ts";
import { parseTemplate } from "../../src/extraction/templates/parse-template.ts";
import { createTemplateStore, type TemplateStore } from "../../src/extraction/templates/store.ts";
import { silentLog } from "../../src/platform/log.ts";
import type { Database } from "../../src/ports/database.ts";
import { databaseKinds, openTestDatabase } from "../support/databases.ts";

describe.each(databaseKinds)("on the %s database, extraction", (kind) => {
  let database: Database;
  let documents: DocumentStore;
  let templates: TemplateStore;
  let workspaceId: string;
  let otherId: string;

  beforeAll(async () => {
    database = await openTestDatabase(kind);
    documents = createDocumentStore(database.queries);
    templates = createTemplateStore(database.queries);
    workspaceId = (await createWorkspace(database.queries, "one", {})).id;
    otherId = (await createWorkspace(database.queries, "two", {})).id;
  });
  afterAll(() => database.close());

  const row = (id: string, createdAt = new Date()) => ({
    id,
    workspaceId,
    keyId: "key_1",
    fileName: "a.pdf",
    createdAt,
  });
  const insert = async (id: string, createdAt?: Date) => {
    await documents.insert(row(id, createdAt));
    await documents.insertPart(id, 0, Buffer.from([0, 1, 254, 255]));
  };

  it("keeps a file byte for byte and a result in its own order", async () => {
    await insert("ext_a");
    expect(Buffer.from((await documents.readFile("ext_a"))!)).toEqual(Buffer.from([0, 1, 254, 255]));
    const result = {
      data: { zebra: 1, ant: null, "long name": [{ b: 1, a: 2 }] },
      fields: {},
      checks: [],
      warnings: [],
    };
    await documents.update("ext_a", { status: "completed", result, confidence: 0.5 });
    const row = await documents.find(workspaceId, "ext_a");
    expect(JSON.stringify(row?.result)).toBe(JSON.stringify(result));
    expect(row?.confidence).toBe(0.5);
  });

  it("keeps a large file in parts, and removes them all", async () => {
    const jobs = createJobQueue(database, silentLog);
    const bytes = randomBytes(700_001);
    expect(await acceptDocument({ documents, jobs }, row("ext_large"), bytes)).toBe(true);
    expect(Buffer.from((await documents.readFile("ext_large"))!).equals(bytes)).toBe(true);
    const count = async () =>
      (
        await database.queries.execute<{ parts: number }>(
          sql`SELECT count(*)::int AS parts FROM extraction_files WHERE extraction_id = 'ext_large'`,
        )
      ).rows[0]!.parts;
    expect(await count()).toBe(3);
    await documents.remove(workspaceId, "ext_large");
    expect(await count()).toBe(0);
    await jobs.stop();
  });

  it("removes an upload that was broken off, and never works on one", async () => {
    await documents.insert({ ...row("ext_half", new Date(Date.now() - 60_000)), isStored: false });
    expect((await documents.listUnfinished()).map(({ id }) => id)).not.toContain("ext_half");
    await documents.removeBrokenOff(new Date(Date.now() - 120_000));
    expect(await documents.findAny("ext_half")).toBeDefined();
    await documents.removeBrokenOff(new Date());
    expect(await documents.findAny("ext_half")).toBeUndefined();
  });

  it("takes one document for each Idempotency-Key of a workspace", async () => {
    expect(await documents.insert({ ...row("ext_k1"), requestKey: "k", requestHash: "h" })).toBe(true);
    expect(await documents.insert({ ...row("ext_k2"), requestKey: "k", requestHash: "h" })).toBe(false);
    expect(await documents.insert({ ...row("ext_k3"), workspaceId: otherId, requestKey: "k", requestHash: "h" })).toBe(
      true,
    );
    expect((await documents.findByRequestKey(workspaceId, "k"))?.id).toBe("ext_k1");
  });

  it("shows nothing of one workspace to another", async () => {
    await insert("ext_b");
    expect(await documents.find(otherId, "ext_b")).toBeUndefined();
    expect(await documents.remove(otherId, "ext_b")).toBe(false);
    expect(await documents.remove(workspaceId, "ext_b")).toBe(true);
    expect(await documents.readFile("ext_b")).toBeUndefined();
  });

  it("lists newest first, page by page, without gaps when moments are equal", async () => {
    const moment = new Date(Date.now() + 60_000);
    for (const id of ["ext_p1", "ext_p2", "ext_p3"]) await insert(id, moment);
    const first = await documents.list(workspaceId, 2, undefined);
    const rest = await documents.list(workspaceId, 2, { createdAt: first[1]!.createdAt, id: first[1]!.id });
    expect([...first, ...rest].slice(0, 3).map((row) => row.id)).toEqual(["ext_p3", "ext_p2", "ext_p1"]);
  });

  it("removes what is older than the retention, and knows what was left undone", async () => {
    await insert("ext_old", new Date(Date.now() - 40 * 86_400_000));
    await documents.removeOlderThan(new Date(Date.now() - 30 * 86_400_000));
    expect(await documents.findAny("ext_old")).toBeUndefined();
    await insert("ext_stuck");
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
