import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { strFromU8, unzipSync } from "fflate";
import { describe, expect, it } from "vitest";
import { blob, call, form } from "../support/call.ts";
import { openExtractionServer } from "../support/extraction-server.ts";
import { invoicePdf, makePdf } from "../support/make-pdf.ts";

const server = await openExtractionServer();
const { base, extract } = server;

describe("extracting a document", () => {
  it("answers with id, status, confidence and data, at both paths", async () => {
    for (const path of ["/v1/extract", "/api/v1/extract"]) {
      const reply = await extract({ file: blob(invoicePdf) }, "?wait=120", path);
      expect(reply.status).toBe(200);
      expect(reply.json).toMatchObject({
        id: expect.stringMatching(/^ext_/),
        status: "completed",
        document_type: "invoice",
        pages: 1,
        data: {
          invoice_number: "A-73511",
          issue_date: "2024-05-19",
          due_date: "2024-07-03",
          currency: "GBP",
          seller: { name: "Kestrel Freight Ltd" },
          buyer: { name: "Sunrise Hospitality Group" },
          net_total: 323.74,
          tax_total: 64.75,
          grand_total: 388.49,
          iban: null,
        },
      });
      expect(reply.json.data.lines).toEqual([
        { description: "Garden waste removal", quantity: 3, unit_price: 58.72, total: 176.16 },
        { description: "Freight and handling", quantity: 2, unit_price: 73.79, total: 147.58 },
      ]);
      expect(reply.json.confidence).toBeGreaterThan(0.8);
      expect(reply.json.fields.grand_total).toMatchObject({
        value: 388.49,
        page: 1,
        box: [expect.any(Number), expect.any(Number), expect.any(Number), expect.any(Number)],
      });
    }
  });

  it("gives the result as a file in the other formats", async () => {
    for (const format of ["xml", "csv", "xlsx", "docx"]) {
      const reply = await extract({ file: blob(invoicePdf), output_format: format }, "?wait=120");
      expect(reply.status).toBe(200);
      expect(reply.headers.get("content-disposition")).toContain(`.${format}"`);
      expect(reply.headers.get("x-extraction-id")).toMatch(/^ext_/);
      expect(Number(reply.headers.get("x-extraction-confidence"))).toBeGreaterThan(0.5);
    }
  });

  it("can be fetched again in any format, listed, and removed for good", async () => {
    const { json } = await extract({ file: blob(invoicePdf) }, "?wait=120");
    const again = await call(`${base}/v1/extractions/${json.id}`, { key: server.key });
    expect(again.json.data).toEqual(json.data);
    const file = await fetch(`${base}/v1/extractions/${json.id}?output_format=xlsx`, {
      headers: { "x-api-key": server.key },
    });
    expect(strFromU8(unzipSync(new Uint8Array(await file.arrayBuffer()))["xl/workbook.xml"]!)).toContain("Fields");
    const original = await fetch(`${base}/v1/extractions/${json.id}/file`, { headers: { "x-api-key": server.key } });
    expect(original.headers.get("content-type")).toBe("application/octet-stream");
    expect(Buffer.from(await original.arrayBuffer()).equals(invoicePdf)).toBe(true);
    const list = await call(`${base}/v1/extractions?limit=1`, { key: server.key });
    expect(list.json.extractions[0].id).toBe(json.id);
    expect(list.json.next_cursor).toEqual(expect.any(String));
    const older = await call(`${base}/v1/extractions?limit=1&cursor=${list.json.next_cursor}`, { key: server.key });
    expect(older.json.extractions[0].id).not.toBe(json.id);
    expect((await call(`${base}/v1/extractions/${json.id}`, { method: "DELETE", key: server.key })).json).toEqual({
      id: json.id,
      deleted: true,
    });
    expect((await call(`${base}/v1/extractions/${json.id}`, { key: server.key })).status).toBe(404);
  });

  it("that does not wait is answered 202 and found later", async () => {
    const accepted = await extract({ file: blob(invoicePdf) }, "?wait=0");
    expect(accepted.status).toBe(202);
    expect(["queued", "processing"]).toContain(accepted.json.status);
    await expect
      .poll(async () => (await call(`${base}/v1/extractions/${accepted.json.id}`, { key: server.key })).json.status, {
        timeout: 90_000,
        interval: 500,
      })
      .toBe("completed");
  });

  it("of another workspace looks like one that does not exist", async () => {
    const { json } = await extract({ file: blob(invoicePdf) }, "?wait=120");
    await server.admin("workspaces create", { name: "others", extraction: "Starter" });
    const other = await server.newKey(["extract"], { workspace: "others" });
    expect((await call(`${base}/v1/extractions/${json.id}`, { key: other.key })).status).toBe(404);
    expect((await call(`${base}/v1/extractions/${json.id}/file`, { key: other.key })).status).toBe(404);
    expect((await call(`${base}/v1/extractions/${json.id}`, { method: "DELETE", key: other.key })).status).toBe(404);
  });

  it("reads HTML and CSV, too", async () => {
    const html = await extract(
      {
        file: blob(
          "<html><h1>Invoice</h1><p>Invoice No: X-77</p><p>Date: 2024-01-05</p><table><tr><th>Description</th><th>Qty</th><th>Price</th><th>Amount</th></tr><tr><td>=1+1</td><td>2</td><td>5.00</td><td>10.00</td></tr></table><p>Total: 10.00 EUR</p></html>",
        ),
      },
      "?wait=120",
    );
    expect(html.json.data).toMatchObject({ invoice_number: "X-77", issue_date: "2024-01-05", grand_total: 10 });
    const csv = await extract({ file: blob("name,city\nAda,London\nGrace,New York\n") }, "?wait=120");
    expect(csv.json.data.tables[0].rows).toEqual([
      ["name", "city"],
      ["Ada", "London"],
      ["Grace", "New York"],
    ]);
  });
});

describe("what cannot be read", () => {
  it("is answered precisely", async () => {
    const cases: [Record<string, string | Blob>, number, string][] = [
      [{ file: blob("") }, 400, "invalid_request"],
      [{ template_id: "x" }, 400, "invalid_request"],
      [{ file: blob(invoicePdf), template_id: "tpl_missing" }, 400, "invalid_request"],
      [{ file: blob(invoicePdf), output_format: "pdf" }, 400, "invalid_request"],
      [{ file: blob('<svg xmlns="http://www.w3.org/2000/svg"/>') }, 415, "unsupported_format"],
      [{ file: blob("%PDF-1.7 then noise") }, 422, "unreadable_document"],
      [{ file: blob(invoicePdf), webhook_url: "ftp://example.com" }, 400, "invalid_request"],
    ];
    for (const [fields, status, type] of cases) {
      const reply = await extract(fields, "?wait=120");
      expect([reply.status, reply.json?.error?.type], JSON.stringify(Object.keys(fields))).toEqual([status, type]);
    }
  });

  it("never keeps the next document from being read", async () => {
    const recursion = Buffer.from(
      "%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 99 99]/Resources<</XObject<</A 4 0 R>>>>/Contents 5 0 R>>endobj\n4 0 obj<</Type/XObject/Subtype/Form/BBox[0 0 9 9]/Resources<</XObject<</A 4 0 R>>>>/Length 10>>stream\n/A Do /A Do\nendstream endobj\n5 0 obj<</Length 5>>stream\n/A Do\nendstream endobj\ntrailer<</Root 1 0 R>>\n",
    );
    const [hostile, good] = await Promise.all([
      extract({ file: blob(recursion) }, "?wait=120"),
      extract({ file: blob(invoicePdf) }, "?wait=120"),
    ]);
    expect([200, 422]).toContain(hostile.status);
    expect(good.json.data.invoice_number).toBe("A-73511");
  });

  it("needs a key with the right scope", async () => {
    expect((await call(`${base}/v1/extract`, { body: form({ file: blob(invoicePdf) }) })).json.error.type).toBe(
      "unauthorized",
    );
    const { key } = await server.newKey(["speech"]);
    expect((await call(`${base}/v1/extract`, { key, body: form({ file: blob(invoicePdf) }) })).status).toBe(403);
  });
});

it("twenty documents at once all finish", async () => {
  const replies = await Promise.all(
    Array.from({ length: 20 }, (_, index) =>
      extract(
        {
          file: blob(
            makePdf([
              [0.1, 0.1, `Invoice No. N-${1000 + index}`],
              [0.1, 0.14, "Total: 12.00 EUR"],
            ]),
          ),
        },
        "?wait=170",
      ),
    ),
  );
  expect(replies.map((reply) => reply.json.data?.invoice_number)).toEqual(
    replies.map((_, index) => `N-${1000 + index}`),
  );
});

const hostile = resolve(process.env.PARLANCE_DATA ?? "../shared/data", "hostile-documents");
it.skipIf(!existsSync(hostile))(
  "every file of the hostile set gets its answer, and the next document works",
  async () => {
    const manifest = JSON.parse(readFileSync(join(hostile, "manifest.json"), "utf8")) as { file: string }[];
    const allowed: Record<string, number[]> = {
      "empty.pdf": [400],
      "svg_xxe.svg": [415],
      "docx_billion_laughs.docx": [422],
      "docx_many_entries.docx": [422],
      "docx_zip_bomb.docx": [413, 422],
      "pdf_garbage.pdf": [422],
      "png_bomb.png": [413, 422],
      "png_bomb_1bit.png": [413, 422],
      "fake_ext.pdf": [415, 422],
    };
    // Drawn within itself without end, it is read for as long as any file is; what comes of that is told above.
    const endless = "pdf_xobject_recursion.pdf";
    for (const { file } of manifest.filter((one) => one.file !== endless)) {
      const reply = await extract({ file: blob(readFileSync(join(hostile, file))) }, "?wait=170");
      expect(allowed[file] ?? [200, 415, 422], file).toContain(reply.status);
      expect(reply.text, file).not.toContain("root:x:0");
    }
    expect((await extract({ file: blob(invoicePdf) }, "?wait=120")).status).toBe(200);
  },
  600_000,
);

it("a value that a person puts right stays right, in every format", async () => {
  const { json } = await extract({ file: blob(invoicePdf) }, "?wait=120");
  const patch = (fields: unknown) =>
    call(`${base}/v1/extractions/${json.id}`, { method: "PATCH", key: server.key, json: { fields } });
  const corrected = await patch({ "seller.name": "Kestrel Freight Limited" });
  expect(corrected.status).toBe(200);
  expect(corrected.json.fields["seller.name"]).toMatchObject({ confidence: 1, corrected: true });
  expect((await patch({ colour: "red" })).status).toBe(400);
  const again = await call(`${base}/v1/extractions/${json.id}`, { key: server.key });
  expect(again.json.data.seller.name).toBe("Kestrel Freight Limited");
  expect(again.json.corrections).toMatchObject([{ field: "seller.name", previous: "Kestrel Freight Ltd" }]);
  const xml = await fetch(`${base}/v1/extractions/${json.id}?output_format=xml`, {
    headers: { "x-api-key": server.key },
  });
  expect(await xml.text()).toContain("Kestrel Freight Limited");
});

it("a result says why each value was chosen, and lists are filtered by state", async () => {
  const { json } = await extract({ file: blob(invoicePdf) }, "?wait=120&explain=1");
  expect(json.documents_found).toBe(1);
  expect(json.explain.invoice_number.reasons.strong).toEqual({ value: 1, weight: expect.any(Number) });
  const plain = await call(`${base}/v1/extractions/${json.id}`, { key: server.key });
  expect(plain.json).not.toHaveProperty("explain");
  const markdown = await fetch(`${base}/v1/extractions/${json.id}?output_format=markdown`, {
    headers: { "x-api-key": server.key },
  });
  expect(markdown.headers.get("content-type")).toContain("text/markdown");
  expect(await markdown.text()).toContain("Kestrel Freight Ltd");
  const list = await call(`${base}/v1/extractions?status=failed`, { key: server.key });
  expect(list.json.extractions.every((entry: { status: string }) => entry.status === "failed")).toBe(true);
  expect((await call(`${base}/v1/extractions?status=lost`, { key: server.key })).status).toBe(400);
});

it("a failed extraction has its own status in every format but JSON, which tells of it", async () => {
  const sent = await extract({ file: blob(`%PDF-1.7\n${"broken ".repeat(40)}`) }, "?wait=0");
  expect(sent.status).toBe(202);
  const ask = (query: string) => call(`${base}/v1/extractions/${sent.json.id}${query}`, { key: server.key });
  await expect.poll(async () => (await ask("")).json.status, { timeout: 60_000 }).toBe("failed");
  for (const format of ["xml", "csv", "xlsx", "docx"]) {
    const { status, json } = await ask(`?output_format=${format}`);
    expect([status, json.error.type]).toEqual([422, "unreadable_document"]);
  }
});

it("two invoices in one mail are two documents, and its text is neither", async () => {
  const second = makePdf([
    [0.08, 0.05, "Harbor Print LLP"],
    [0.6, 0.05, "INVOICE"],
    [0.6, 0.1, "Invoice No. B-200"],
    [0.6, 0.4, "Total due: 75.50 GBP"],
  ]);
  const part = (name: string, bytes: Buffer) =>
    `--cut\r\nContent-Type: application/pdf\r\nContent-Transfer-Encoding: base64\r\nContent-Disposition: attachment; filename="${name}"\r\n\r\n${bytes.toString("base64")}\r\n`;
  const mail = `From: a@b.example\r\nTo: c@d.example\r\nSubject: invoices\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary="cut"\r\n\r\n--cut\r\nContent-Type: text/plain\r\n\r\nDear colleague,\r\nplease find two invoices.\r\nForwarding Desk Ltd\r\n${part("1.pdf", invoicePdf)}${part("2.pdf", second)}--cut--\r\n`;
  const { json } = await extract({ file: blob(mail) }, "?wait=120");
  expect(json).toMatchObject({
    documents_found: 2,
    data: { invoice_number: "A-73511", seller: { name: "Kestrel Freight Ltd" } },
    documents: [
      { pages: [2, 2], data: { invoice_number: "A-73511" } },
      { pages: [3, 3], data: { invoice_number: "B-200", grand_total: 75.5 } },
    ],
  });
});
