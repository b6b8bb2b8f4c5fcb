import { createHmac } from "node:crypto";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { blob, call, form } from "../support/call.ts";
import { openExtractionServer } from "../support/extraction-server.ts";
import { invoicePdf } from "../support/make-pdf.ts";
import { startServer } from "../support/start-server.ts";

const server = await openExtractionServer();
const { base, extract } = server;

describe("templates", () => {
  const template = {
    name: "Kestrel",
    document_type: "invoice",
    fields: [
      { name: "reference", required: true, labels: ["Invoice No."] },
      { name: "total", type: "currency", find: [{ standard: "invoice.grand_total" }] },
    ],
  };

  it("are created, tried, used, changed in versions and deleted", async () => {
    const created = await call(`${base}/v1/templates`, { key: server.key, json: template });
    expect(created.status).toBe(201);
    const { id } = created.json;
    const tried = await call(`${base}/v1/templates/${id}/test`, {
      key: server.key,
      body: form({ file: blob(invoicePdf) }),
    });
    expect(tried.json.rules[0]).toMatchObject({ field: "reference", rule: 'label "Invoice No."', value: "A-73511" });
    expect(tried.json.lines.length).toBeGreaterThan(20);
    const used = await extract({ file: blob(invoicePdf), template_id: id }, "?wait=120");
    expect(used.json).toMatchObject({ template_id: id, data: { reference: "A-73511", total: 388.49 } });
    const yaml = "name: Kestrel\nfields:\n  - name: customer\n    find:\n      - standard: invoice.buyer.name\n";
    const changed = await call(`${base}/v1/templates/${id}`, {
      method: "PUT",
      key: server.key,
      body: yaml,
      headers: { "content-type": "application/yaml" },
    });
    expect(changed.json).toMatchObject({ id, version: 2 });
    const again = await call(`${base}/v1/extractions/${used.json.id}/rerun?wait=120`, {
      key: server.key,
      json: { template_id: id },
    });
    expect(again.json.data).toMatchObject({ customer: "Sunrise Hospitality Group" });
    expect((await call(`${base}/v1/templates/${id}?version=1`, { key: server.key })).json.fields[0].name).toBe(
      "reference",
    );
    expect((await call(`${base}/v1/templates/${id}/versions`, { key: server.key })).json.versions).toHaveLength(2);
    expect((await call(`${base}/v1/templates/${id}`, { method: "DELETE", key: server.key })).status).toBe(200);
    expect((await call(`${base}/v1/templates/${id}`, { key: server.key })).status).toBe(404);
  });

  it("are suggested from a document and what is right for it", async () => {
    const suggest = (values: string) =>
      call(`${base}/v1/templates/suggest`, { key: server.key, body: form({ file: blob(invoicePdf), values }) });
    const { json, status } = await suggest('{"reference": "A-73511", "to_pay": 388.49, "driver": "Nobody"}');
    expect(status).toBe(200);
    expect(json.not_found).toEqual(["driver"]);
    const { id } = (await call(`${base}/v1/templates`, { key: server.key, json: json.template })).json;
    const used = await extract({ file: blob(invoicePdf), template_id: id }, "?wait=120");
    expect(used.json.data).toMatchObject({ reference: "A-73511", to_pay: 388.49 });
    for (const wrong of ["[1]", "no json", "{}", '{"driver": "Nobody"}'])
      expect((await suggest(wrong)).status, wrong).toBe(400);
  });

  it("that are built in are listed and cannot be changed", async () => {
    const { json } = await call(`${base}/v1/templates`, { key: server.key });
    expect(json.templates.map((one: { id: string }) => one.id)).toEqual(
      expect.arrayContaining(["tpl_invoice", "tpl_receipt", "tpl_form", "tpl_bank_statement"]),
    );
    expect((await call(`${base}/v1/templates/tpl_invoice`, { method: "DELETE", key: server.key })).status).toBe(400);
  });

  it("with a mistake are refused with its name", async () => {
    const reply = await call(`${base}/v1/templates`, {
      key: server.key,
      json: { name: "x", fields: [{ name: "a", type: "tabel" }] },
    });
    expect(reply.status).toBe(400);
    expect(reply.json.error.message).toContain("fields.0.type");
  });
});

it("a webhook brings the result, signed with the secret of the workspace", async () => {
  const received = new Promise<{ headers: IncomingMessage["headers"]; body: string }>((done) => {
    const receiver = createServer((request, response) => {
      let body = "";
      request.on("data", (chunk) => (body += chunk));
      request.on("end", () => {
        response.end("ok");
        receiver.close();
        done({ headers: request.headers, body });
      });
    }).listen(0, "127.0.0.1", async () => {
      const { port } = receiver.address() as AddressInfo;
      await extract({ file: blob(invoicePdf), webhook_url: `http://127.0.0.1:${port}/hook` }, "?wait=120");
    });
  });
  const { headers, body } = await received;
  expect(JSON.parse(body)).toMatchObject({ status: "completed", data: { invoice_number: "A-73511" } });
  const [, timestamp, signature] = /^t=(\d+),v1=([\da-f]{64})$/.exec(String(headers["x-extraction-signature"]))!;
  const address = `${server.url}/extraction/v1/webhooks/secret`;
  const ask = async (method: string) =>
    ((await (await fetch(address, { method, headers: { "x-api-key": server.key } })).json()) as { secret: string })
      .secret;
  const secret = await ask("GET");
  expect(signature).toBe(createHmac("sha256", secret).update(`${timestamp}.${body}`).digest("hex"));
  const replaced = await ask("POST");
  expect(replaced).not.toBe(secret);
  expect(await ask("GET")).toBe(replaced);
});

it("queued work goes on after a restart", async () => {
  const first = await startServer({ SVC_EDGE_UPLOAD_LIMIT: "25MB", SVC_DATA_DIR: join(server.dataDir, "second") });
  const accepted = await call(`${first.url}/extraction/v1/extract?wait=0`, {
    key: first.key,
    body: form({ file: blob(invoicePdf) }),
  });
  expect(accepted.status).toBe(202);
  await first.close();
  const second = await startServer({ SVC_EDGE_UPLOAD_LIMIT: "25MB", SVC_DATA_DIR: join(server.dataDir, "second") });
  await expect
    .poll(
      async () =>
        (await call(`${second.url}/extraction/v1/extractions/${accepted.json.id}`, { key: first.key })).json.status,
      { timeout: 90_000, interval: 500 },
    )
    .toBe("completed");
  await second.close();
});

it("extraction that is served alone sits at the root of its port, too", async () => {
  const alone = await startServer({ SVC_SERVICES: "extraction" });
  for (const path of ["/v1/templates", "/extraction/v1/templates"])
    expect((await fetch(`${alone.url}${path}`, { headers: { "x-api-key": alone.key } })).status).toBe(200);
  expect(await (await fetch(`${alone.url}/nothing`)).json()).toMatchObject({ error: { type: "not_found" } });
  await alone.close();
});

it("a request that is sent twice with one Idempotency-Key is one request", async () => {
  const send = (bytes: Uint8Array | string, key: string) =>
    fetch(`${base}/v1/extract?wait=120`, {
      method: "POST",
      headers: { "x-api-key": server.key, "idempotency-key": key },
      body: form({ file: blob(bytes) }),
    });
  const [one, two] = await Promise.all([send(invoicePdf, "again-1"), send(invoicePdf, "again-1")]);
  const [first, second] = [(await one.json()) as { id: string }, (await two.json()) as { id: string }];
  expect(second.id).toBe(first.id);
  expect([one, two].filter((reply) => reply.headers.get("idempotent-replayed") === "true")).toHaveLength(1);
  expect((await send("another document", "again-1")).status).toBe(409);
  expect((await send(invoicePdf, "with blanks")).status).toBe(400);
  expect(((await (await send(invoicePdf, "again-2")).json()) as { id: string }).id).not.toBe(first.id);
});

it("the limit is the workspace's and its plan's: keys share it, looking is free, and both headers say when to come back", async () => {
  await server.admin("workspaces create", { name: "thrifty", extraction: "Free" });
  const makeKey = () =>
    server.admin<{ key: string }>("keys create", { workspace: "thrifty", name: "n", scopes: ["extract"] });
  const [one, two] = [(await makeKey()).key, (await makeKey()).key];
  const send = (key: string) => call(`${base}/v1/extract?wait=0`, { key, body: form({ file: blob("") }) });
  for (let sent = 0; sent < 10; sent++) expect((await send(sent % 2 === 0 ? one : two)).status).toBe(400);
  const refused = await send(two);
  expect([refused.status, refused.json.error.type]).toEqual([429, "rate_limited"]);
  expect(refused.headers.get("x-ratelimit-reset")).toBe(refused.headers.get("retry-after"));
  const look = await call(`${base}/v1/extractions`, { key: one });
  expect([look.status, look.headers.get("x-ratelimit-remaining")]).toEqual([200, "0"]);
});

it("a body beyond the limit gets the error shape", async () => {
  const { status, json } = await call(`${base}/v1/extract`, {
    key: server.key,
    method: "POST",
    body: "x".repeat(25_500_000),
  });
  expect([status, json.error.type]).toEqual([413, "file_too_large"]);
});
