import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { createOpenAiChat } from "../openai-chat/openai-chat.ts";
import { bestWay } from "./best-way.ts";
import { createChatTranslation } from "./chat-translation.ts";

interface Asked {
  readonly model: string;
  readonly messages: readonly { role: string; content: string }[];
  readonly temperature: number;
}

const closers: (() => void)[] = [];
afterEach(() => closers.splice(0).forEach((close) => void close()));

/** A chat server on a port of its own. Gives the engine that asks it, and what it was asked. */
async function serve(answer: (response: ServerResponse) => void) {
  const asked: Asked[] = [];
  const keys: (string | undefined)[] = [];
  const server = createServer(async (request: IncomingMessage, response) => {
    let text = "";
    for await (const part of request) text += part;
    asked.push(JSON.parse(text));
    keys.push(request.headers.authorization);
    answer(response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  closers.push(() => server.close().closeAllConnections());
  const { port } = server.address() as AddressInfo;
  const remote = { baseUrl: `http://127.0.0.1:${port}/v1`, model: "big", apiKey: "secret" };
  const engine = bestWay([{ id: "openai:big", engine: createChatTranslation(createOpenAiChat(remote)) }], []);
  const translate = (source: string, target: string) =>
    engine.translate({ text: "Hallo,\nWelt 42", source, target, key: "k", flow: "f" }, new AbortController().signal);
  return { asked, keys, translate };
}

function stream(response: ServerResponse, pieces: readonly string[]): void {
  response.writeHead(200, { "content-type": "text/event-stream" });
  for (const content of pieces) response.write(`data: ${JSON.stringify({ choices: [{ delta: { content } }] })}\n\n`);
  const usage = { prompt_tokens: 61, completion_tokens: 7 };
  response.write(`data: ${JSON.stringify({ choices: [{ delta: {}, finish_reason: "stop" }], usage })}\n\n`);
  response.end("data: [DONE]\n\n");
}

describe("translation by a chat server", () => {
  it("names both languages, sends the text by itself, and gives the answer with the server's counts and name", async () => {
    const { asked, keys, translate } = await serve((response) => stream(response, ["Hello,\n", "world ", "42"]));
    expect(await translate("de", "pt-br")).toEqual({
      text: "Hello,\nworld 42",
      usage: { inputTokens: 61, outputTokens: 7, cachedTokens: null },
      engine: "big",
      quality: "good",
    });
    expect(asked).toHaveLength(1);
    expect(asked[0]).toMatchObject({ model: "big", temperature: 0 });
    expect(asked[0]!.messages[0]!.content).toContain("from German into Brazilian Portuguese");
    expect(asked[0]!.messages[1]).toEqual({ role: "user", content: "Hallo,\nWelt 42" });
    expect(keys).toEqual(["Bearer secret"]);
  });

  it("fails as an upstream when the server refuses or says nothing", async () => {
    const refusing = await serve((response) => response.writeHead(401).end("{}"));
    await expect(refusing.translate("de", "en-us")).rejects.toMatchObject({ kind: "engine_rejected" });
    const silent = await serve((response) => stream(response, []));
    await expect(silent.translate("de", "en-us")).rejects.toThrow("gave no translation");
  });

  it("refuses what is no language before asking anybody", async () => {
    const { asked, translate } = await serve((response) => stream(response, ["x"]));
    await expect(translate("de", "not a code")).rejects.toMatchObject({ kind: "invalid_request" });
    expect(asked).toEqual([]);
  });
});
