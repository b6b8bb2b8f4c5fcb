import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { createOpenAiFieldModel, parseFieldModelAddress } from "./openai-field-model.ts";

let server: Server;
afterEach(() => server?.close());

/** A stand-in for an OpenAI-compatible server; remembers the last request. */
async function standIn(
  status: number,
  content: string,
): Promise<{ url: string; seen: () => { body: string; key: string | undefined } }> {
  let body = "";
  let key: string | undefined;
  server = createServer((request, response) => {
    body = "";
    key = request.headers.authorization;
    request.on("data", (chunk) => {
      body += chunk;
    });
    request.on("end", () =>
      response
        .writeHead(status, { "content-type": "application/json" })
        .end(JSON.stringify({ choices: [{ message: { content } }] })),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, seen: () => ({ body, key }) };
}

const question = [{ name: "total", type: "currency", description: "what is due" }];
const never = new AbortController().signal;

describe("an OpenAI-compatible server", () => {
  it("is sent numbered lines and a schema, and its answer is read", async () => {
    const { url, seen } = await standIn(200, '```json\n{"total": {"value": 12.5, "line": 2}, "other": null}\n```');
    const model = createOpenAiFieldModel({ baseUrl: url, model: "m", apiKey: "secret" });
    expect(await model.read(["Invoice", "Total 12.50"], question, never)).toEqual({ total: { value: 12.5, line: 2 } });
    expect(seen().key).toBe("Bearer secret");
    expect(JSON.parse(seen().body)).toMatchObject({ model: "m", response_format: { type: "json_schema" } });
    expect(seen().body).toContain("2| Total 12.50");
  });

  it("is asked for lists by their columns", async () => {
    const content =
      '{"lines": [{"item": {"value": "Oak", "line": 1}, "sum": null}, {}], "tags": [{"value": {"value": "new", "line": 1}}]}';
    const { url, seen } = await standIn(200, content);
    const column = (name: string) => ({ name, type: "string", description: "" });
    const lists = [
      { ...column("lines"), type: "list", columns: [column("item"), column("sum")] },
      { ...column("tags"), type: "list", columns: [column("")] },
    ];
    expect(await createOpenAiFieldModel({ baseUrl: url, model: "m" }).read(["Oak, new"], lists, never)).toEqual({
      lines: [{ item: { value: "Oak", line: 1 } }, {}],
      tags: [{ value: { value: "new", line: 1 } }],
    });
    const { properties } = JSON.parse(seen().body).response_format.json_schema.schema;
    expect(properties.lines).toMatchObject({ type: "array", items: { required: ["item", "sum"] } });
    expect(properties.tags.items.required).toEqual(["value"]);
  });

  it("that fails or talks nonsense is a problem, never a guess", async () => {
    const failing = await standIn(500, "");
    await expect(
      createOpenAiFieldModel({ baseUrl: failing.url, model: "m" }).read(["x"], question, never),
    ).rejects.toMatchObject({ kind: "upstream_failed" });
    server.close();
    const rambling = await standIn(200, '{"total": [1]}');
    await expect(
      createOpenAiFieldModel({ baseUrl: rambling.url, model: "m" }).read(["x"], question, never),
    ).rejects.toMatchObject({ kind: "upstream_failed" });
  });
});

it("its address names server and model", () => {
  expect(parseFieldModelAddress("openai:http://gpu:8000/v1#qwen")).toEqual({
    baseUrl: "http://gpu:8000/v1",
    model: "qwen",
  });
  expect(parseFieldModelAddress("http://gpu:8000/v1")).toBeUndefined();
});
