import { request } from "node:http";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { call } from "../support/call.ts";
import { type HostileServer, startHostile } from "./hostile-server.ts";
import { encodeBody, worst } from "./worst-bodies.ts";

let server: HostileServer;
beforeAll(async () => {
  server = await startHostile({ SVC_MODELS_DIR: "" });
  await call(`${server.url}/v1/voices`, { key: server.key });
});
afterAll(() => server.stop());

const isServed = async () => (await call(`${server.url}/healthz`)).status === 200;

/** How long others wait is a figure, which bench/hostile/worst prints. */
describe("the worst body that is accepted", () => {
  it.each(worst)("by %s leaves others served while it comes and when it is worked on (%#)", async (path, body) => {
    const { bytes, type } = await encodeBody(body);
    const headers = {
      authorization: `Bearer ${server.key}`,
      "x-api-key": server.key,
      "content-type": type,
      "content-length": bytes.length,
    };
    const sent = request(server.url + path, { method: "POST", headers });
    const status = new Promise<number | undefined>((resolve) => {
      sent.once("response", (response) => resolve(response.resume().statusCode));
      sent.once("error", () => resolve(undefined));
    });
    const half = Math.floor(bytes.length / 2);
    await new Promise((resolve) => sent.write(bytes.subarray(0, half), resolve));
    expect(await isServed()).toBe(true);
    await new Promise<void>((resolve) => sent.end(bytes.subarray(half), resolve));
    // Some are at work for minutes: then nobody waits for their answer.
    const answered = Promise.race([status, fewBystanders()]);
    expect(await answered).not.toBe(500);
    sent.destroy();
    expect(await isServed()).toBe(true);
  });
});

async function fewBystanders(): Promise<string> {
  for (let turn = 0; turn < 20; turn++) {
    expect(await isServed()).toBe(true);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return "still at work";
}
