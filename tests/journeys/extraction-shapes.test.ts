import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { zipSync } from "fflate";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { packageRoot } from "../../src/platform/package-root.ts";
import { blob, call, form } from "../support/call.ts";
import { invoicePdf } from "../support/make-pdf.ts";
import { startServer, type TestServer } from "../support/start-server.ts";

let server: TestServer;
let base: string;
const zip = (files: Record<string, string | Uint8Array>) =>
  blob(zipSync(Object.fromEntries(Object.entries(files).map(([name, file]) => [name, Buffer.from(file)]))));
const send = (
  path: string,
  fields: Record<string, string | Blob>,
  options: { key?: string; headers?: Record<string, string> } = {},
) => call(`${base}${path}`, { key: server.key, body: form(fields), ...options });
const invoice = new Uint8Array(invoicePdf);

/** Stands for a chat server: it says what the test wants, true or not. */
const model = createServer((request, response) => {
  let body = "";
  request.on("data", (chunk) => (body += chunk));
  request.on("end", () => {
    const { content } = (JSON.parse(body) as { messages: { content: string }[] }).messages[1]!;
    const line = Number(/(\d+)\| [^\n]*Leeds/.exec(content)?.[1] ?? 1);
    const towns = [{ name: { value: "Leeds", line } }, { name: { value: "Olympus", line } }];
    const answers = { town: { value: "Leeds", line }, planet: { value: "Mars", line }, towns };
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify({ choices: [{ message: { content: JSON.stringify(answers) } }] }));
  });
});

beforeAll(async () => {
  await new Promise<void>((resolve) => model.listen(0, "127.0.0.1", resolve));
  const { port } = model.address() as AddressInfo;
  server = await startServer({
    SVC_EDGE_UPLOAD_LIMIT: "25MB",
    SVC_EXTRACTION_LLM: `openai:http://127.0.0.1:${port}/v1#any`,
  });
  base = `${server.url}/extraction`;
  await server.admin("workspaces set-plan", { name: "default", extraction: "Enterprise" });
});
afterAll(async () => {
  await server.close();
  model.close();
});

describe("a schema with a document", () => {
  it("gives data of exactly its shape, with a place and a confidence for each value", async () => {
    const schema = readFileSync(join(packageRoot(), "docs", "examples", "invoice-schema.json"), "utf8");
    const { status, json } = await send("/v1/extract?wait=120", { file: blob(invoice), schema });
    expect(status).toBe(200);
    expect(json.data).toEqual({
      invoice_number: "A-73511",
      due_date: "2024-07-03",
      vendor: { name: "Kestrel Freight Ltd" },
      total: 388.49,
      lines: [
        { description: "Garden waste removal", qty: 3, amount: 176.16 },
        { description: "Freight and handling", qty: 2, amount: 147.58 },
      ],
    });
    expect(json.fields["lines[1].amount"]).toMatchObject({ value: 147.58, page: 1, box: expect.any(Array) });
    expect(json.warnings).toEqual([]);

    const towns = { type: "array", items: { properties: { name: {} } } };
    const other = { properties: { Rechnungsnummer: {}, town: {}, planet: {}, towns }, required: ["planet"] };
    const rerun = await call(`${base}/v1/extractions/${json.id}/rerun?wait=120`, {
      key: server.key,
      json: { schema: other },
    });
    expect(rerun.json.data).toEqual({
      Rechnungsnummer: "A-73511",
      town: "Leeds",
      planet: null,
      towns: [{ name: "Leeds" }],
    });
    expect(rerun.json.fields.town.box).toEqual(expect.any(Array));
    expect(rerun.json.fields["towns[0].name"].box).toEqual(rerun.json.fields.town.box);
    expect(rerun.json.warnings).toEqual(['The required field "planet" was not found.']);
    const corrected = await call(`${base}/v1/extractions/${rerun.json.id}`, {
      key: server.key,
      method: "PATCH",
      json: { fields: { planet: "Earth" } },
    });
    expect(corrected.json).toMatchObject({ data: { planet: "Earth" }, warnings: [] });
    const csv = await call(`${base}/v1/extractions/${json.id}?output_format=csv`, { key: server.key });
    expect(csv.text).toContain("Garden waste removal");
  });

  it("that cannot be filled is a 400 that says why", async () => {
    const refusal = async (schema: string, more = {}) => {
      const { status, json } = await send("/v1/extract", { file: blob(invoice), schema, ...more });
      expect(status).toBe(400);
      return json.error.message as string;
    };
    expect(await refusal("{")).toContain("is not JSON");
    expect(await refusal('{"type":"string"}')).toContain('must have the type "object"');
    expect(await refusal('{"properties":{"__proto__":{}}}')).toContain("reserve");
    expect(await refusal("[".repeat(90_000))).toContain("is not JSON");
    expect(await refusal('{"properties":{"a":{"$ref":"file:///etc/passwd"}}}')).toContain("#/$defs/name");
    expect(await refusal('{"properties":{"a":{}}}', { template_id: "tpl_invoice" })).toContain("not both");
  });
});

describe("an archive of documents", () => {
  const finished = async (id: string, key = server.key) => {
    for (;;) {
      const { json } = await call(`${base}/v1/batches/${id}`, { key });
      if (json.status === "completed") return json;
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  };

  it("gives one result for each, and those that cannot be read fail alone", async () => {
    const file = zip({
      "march/invoice.pdf": invoice,
      "note.txt": "Hello there.\nNothing to see.",
      "inner.zip": zipSync({ "a.pdf": invoice }),
      "empty.pdf": "",
      "broken.pdf": "%PDF-1.7 and no more",
      "__MACOSX/._note.txt": "left by a computer",
    });
    const headers = { "idempotency-key": "batch-1" };
    const reply = await send("/v1/batches", { file }, { headers });
    expect(reply.status).toBe(202);
    expect(reply.json).toMatchObject({ id: expect.stringMatching(/^bat_/), documents: 5 });
    const batch = await finished(reply.json.id);
    expect(batch).toMatchObject({ completed: 2, failed: 3 });
    expect(batch.extractions.map((one: { file_name: string; status: string }) => [one.file_name, one.status])).toEqual([
      ["invoice.pdf", "completed"],
      ["note.txt", "completed"],
      ["inner.zip", "failed"],
      ["empty.pdf", "failed"],
      ["broken.pdf", "failed"],
    ]);
    expect(batch.extractions[2].error).toMatchObject({ type: "unsupported_format" });
    expect(batch.extractions[3].error).toMatchObject({ message: "The file is empty." });
    const one = await call(`${base}/v1/extractions/${batch.extractions[0].id}`, { key: server.key });
    expect(one.json).toMatchObject({ batch_id: batch.id, data: { invoice_number: "A-73511" } });
    const again = await send("/v1/batches", { file }, { headers });
    expect(again.headers.get("idempotent-replayed")).toBe("true");
    expect(again.json.id).toBe(batch.id);
  });

  it("counts against the plan document by document, and is nobody else's", async () => {
    await server.admin("workspaces create", { name: "thrifty", extraction: "Free" });
    const { key } = await server.newKey(["extract"], { workspace: "thrifty" });
    const pages = (count: number) =>
      zip(Object.fromEntries(Array.from({ length: count }, (_, index) => [`${index}.txt`, `Note ${index}`])));
    const first = await send("/v1/batches", { file: pages(8) }, { key });
    expect(first.status).toBe(202);
    expect(first.headers.get("x-ratelimit-remaining")).toBe("2");
    const second = await send("/v1/batches", { file: pages(3) }, { key });
    expect(second.status).toBe(429);
    expect(second.json.error.message).toContain("The archive holds 3 documents, and 2 of the 10 an hour are left.");
    expect((await call(`${base}/v1/batches/${first.json.id}`, { key: server.key })).status).toBe(404);
    expect((await finished(first.json.id, key)).completed).toBe(8);
  });

  it("that is none, too large or hostile is refused as a whole", async () => {
    const refusal = async (file: Blob) => {
      const { status, json } = await send("/v1/batches", { file });
      return [status, json.error.message];
    };
    expect(await refusal(blob(invoice))).toEqual([415, expect.stringContaining("not a ZIP archive")]);
    expect(await refusal(blob("PK\u0003\u0004 and nothing"))).toEqual([422, expect.stringContaining("damaged")]);
    expect(await refusal(zip({ "__MACOSX/x": "" }))).toEqual([400, "The archive holds no documents."]);
    expect(await refusal(zip({ "../../etc/passwd": "x" }))).toEqual([422, expect.stringContaining("lead out of it")]);
    expect(await refusal(zip({ "bomb.txt": new Uint8Array(30_000_000) }))).toEqual([
      422,
      expect.stringContaining("far more"),
    ]);
    const many = Object.fromEntries(Array.from({ length: 101 }, (_, index) => [`${index}.txt`, "x"]));
    expect(await refusal(zip(many))).toEqual([413, expect.stringContaining("101 documents")]);
    expect((await send("/v1/extract", { file: zip({ "a.txt": "x" }) })).json.error.message).toContain("/v1/batches");
  });
});
