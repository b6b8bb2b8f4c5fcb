import { pathToFileURL } from "node:url";
import { LLMock } from "@copilotkit/aimock";
import { afterAll, describe, expect, it } from "vitest";
import { languageDialect } from "../../src/gateway/ai-sdk/language-dialect.ts";
import { ReplyBuilder } from "../../src/gateway/dialects/build-reply.ts";
import { chatDialect } from "../../src/gateway/dialects/chat/chat-dialect.ts";
import type { Dialect } from "../../src/gateway/dialects/dialect.ts";
import { messagesDialect } from "../../src/gateway/dialects/messages/messages-dialect.ts";
import { responsesDialect } from "../../src/gateway/dialects/responses/responses-dialect.ts";
import { EventTranslator, translate } from "../../src/gateway/dialects/translate.ts";
import { packageRoot } from "../../src/platform/package-root.ts";

/** Streams that other people wrote or made, not ours: through every dialect and back they say the same. */
const dialects = [chatDialect, messagesDialect, responsesDialect, languageDialect];

const fixtures = `${packageRoot()}/node_modules/@langchain/core/dist/utils/testing/openai_stream_fixtures.js`;
const langchain: Record<string, () => object[]> = await import(pathToFileURL(fixtures).href);
const names = ["openAITextOnlyChunksWithUsage", "openAIReasoningTextChunks", "openAIToolCallChunks"];
const written = names.map((name) => ({
  name: `LangChain's fixture ${name}`,
  dialect: chatDialect,
  stream: `${langchain[name]!()
    .map((one) => `data: ${JSON.stringify(one)}\n\n`)
    .join("")}data: [DONE]\n\n`,
}));

const mock = new LLMock({ port: 0 });
const reasoning = "The user wants the weather of two cities.";
const toolCalls = [
  { id: "call_1", name: "get_weather", arguments: '{"city":"Paris"}' },
  { id: "call_2", name: "get_weather", arguments: '{"city":"Oslo"}' },
];
mock.onMessage("think", { content: "It is sunny.", reasoning, reasoningSignature: "c2lnbmF0dXJl" });
mock.onMessage("call", { content: "Let me look.", toolCalls, reasoning });
await mock.start();
afterAll(() => mock.stop());

const messages = (content: string) => [{ role: "user", content }];
const asked: readonly { dialect: Dialect; path: string; body(content: string): object }[] = [
  { dialect: chatDialect, path: "chat/completions", body: (content) => ({ messages: messages(content) }) },
  { dialect: messagesDialect, path: "messages", body: (content) => ({ messages: messages(content), max_tokens: 99 }) },
  { dialect: responsesDialect, path: "responses", body: (content) => ({ input: messages(content) }) },
];
const synthetic = await Promise.all(
  asked.flatMap(({ dialect, path, body }) =>
    ["think", "call"].map(async (content) => {
      const wanted = { model: "acme/model", stream: true, stream_options: { include_usage: true }, ...body(content) };
      const headers = { "content-type": "application/json", authorization: "Bearer mock", "x-api-key": "mock" };
      const reply = await fetch(`${mock.url}/v1/${path}`, { method: "POST", headers, body: JSON.stringify(wanted) });
      return { name: `aimock's synthetic ${path} that ${content}s`, dialect, stream: await reply.text() };
    }),
  ),
);

function read(dialect: Dialect, stream: string) {
  const builder = new ReplyBuilder();
  const reader = new EventTranslator(dialect.readStream(), (event) => {
    builder.add(event);
    return "";
  });
  reader.push(stream);
  reader.end();
  const { head, parts, end } = builder.reply!;
  return { head: { ...head, created: 0 }, parts, end };
}

function through(from: Dialect, to: Dialect, stream: string): string {
  const translator = translate(to, from).stream!(true);
  return translator.push(stream) + translator.end();
}

describe.each([...written, ...synthetic])("$name", ({ dialect, stream, name }) => {
  it("is read whole", () => {
    const { parts } = read(dialect, stream);
    const types = parts.map(({ type }) => type);
    if (name.startsWith("aimock")) {
      expect(types).toEqual(name.endsWith("thinks") ? ["reasoning", "text"] : ["reasoning", "text", "call", "call"]);
    } else expect(types).toContain("text");
    if (types.includes("call") && parts.length === 4) {
      expect(parts.slice(2)).toMatchObject(toolCalls.map(({ id: _id, ...call }) => ({ type: "call", ...call })));
    }
  });

  it.each(dialects.map((other) => [other.endpoint, other] as const))("says the same after %s", (_name, other) => {
    const back = through(other, dialect, through(dialect, other, stream));
    expect(read(dialect, back)).toEqual(read(dialect, stream));
  });
});
