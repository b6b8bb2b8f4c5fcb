import { beforeEach, describe, expect, it } from "vitest";
import { call } from "../support/call.ts";
import { sendJson } from "../support/fake-upstream.ts";
import { openGateway, openUpstream } from "../support/open-gateway.ts";

const pricing = { input: "0.000001", output: "0.000002" };
const model = (id: string) => ({ id, object: "model", created: 1, owned_by: "acme", pricing });
const upstream = await openUpstream([model("acme/chat"), model("acme/hear")]);
const server = await openGateway([upstream]);
let key = "";
beforeEach(async () => {
  key = (await server.newAccount("1")).key;
});

const spent = async () => Number((1 - Number(await server.balance(key))).toFixed(9));
/** 2.26 s of silence, which is no whole number of anything. */
function recording(): Blob {
  const head = Buffer.alloc(44);
  head.write("RIFF", 0);
  head.write("WAVEfmt ", 8);
  head.writeUInt32LE(16, 16);
  head.writeUInt32LE(32_000, 28);
  head.write("data", 36);
  head.writeUInt32LE(72_320, 40);
  return new Blob([head, Buffer.alloc(72_320)], { type: "audio/wav" });
}

function transcribe(): ReturnType<typeof call> {
  const body = new FormData();
  body.append("file", recording(), "a.wav");
  body.append("model", "acme/hear");
  return call(`${server.base}/audio/transcriptions`, { key, body });
}

describe("a transcription by a model that is priced by tokens", () => {
  it("costs the tokens that the upstream tells", async () => {
    upstream.on("/v1/audio/transcriptions", (_request, response) =>
      sendJson(response, { text: "hello", usage: { type: "tokens", input_tokens: 100, output_tokens: 50 } }),
    );
    const reply = await transcribe();
    expect([reply.status, reply.json.text]).toEqual([200, "hello"]);
    expect(await spent()).toBe(0.00024);
  });

  it("is estimated by its length where the upstream tells nothing", async () => {
    upstream.on("/v1/audio/transcriptions", (_request, response) => sendJson(response, { text: "hello" }));
    expect((await transcribe()).status).toBe(200);
    // 68 tokens heard and one written.
    expect(await spent()).toBe(0.000084);
  });
});
