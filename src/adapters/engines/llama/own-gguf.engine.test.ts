import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { lacksModels, modelStore } from "../../../../tests/support/local-speech.ts";
import { silentLog } from "../../../platform/log.ts";
import type { ChatRequest, ToolCall } from "../../../ports/chat-engine.ts";
import { parseOwnAddress } from "../own-weights/parse-address.ts";
import { createOwnChat, type LlamaChat } from "./llama-chat.ts";
import { CHAT_MODEL, CHAT_MODEL_FILE } from "./model-file.ts";
import { createOwnEmbeddings } from "./own-embeddings.ts";
import { openGguf } from "./own-gguf.ts";

/** Qwen's way of writing calls, around TinyLlama's way of writing messages. */
const withTools = `{% if tools %}{% for tool in tools %}{{ tool | tojson }}
{% endfor %}{% endif %}{% for m in messages %}<|{{ m.role }}|>
{{ m.content }}{% if m.tool_calls %}<tool_call>
{{ m.tool_calls[0].function | tojson }}
</tool_call>{% endif %}{{ eos_token }}
{% endfor %}{% if add_generation_prompt %}<|assistant|>
{% endif %}`;

const settings = { modelsDir: "", contextTokens: 1024, gpu: { use: "off", layers: 0 } as const };

if (lacksModels(CHAT_MODEL)) describe.skip("a GGUF by its path", () => it("needs its model", () => {}));
else {
  const path = join(modelStore.folder(CHAT_MODEL), CHAT_MODEL_FILE);

  it("a GGUF by its path makes vectors of unit length", async () => {
    const gguf = openGguf("SVC_EMBEDDINGS_ENGINE", parseOwnAddress(`gguf:${path}`, ["gguf"])!, "embeddings", settings);
    const engine = createOwnEmbeddings({ ...gguf, log: silentLog, threads: 0 });
    try {
      const turn = { key: "k", flow: "f" };
      const { vectors, inputTokens } = await engine.embed(
        { texts: ["A cat.", ""], ...turn },
        new AbortController().signal,
      );
      expect(vectors.map((vector) => vector.length)).toEqual([2048, 2048]);
      for (const vector of vectors) expect(Math.hypot(...vector)).toBeCloseTo(1, 5);
      expect(inputTokens).toBeGreaterThan(1);
    } finally {
      await engine.host.close();
    }
  });

  describe("a GGUF by its path", () => {
    let engine: LlamaChat;
    let folder: string;
    beforeAll(() => {
      folder = mkdtempSync(join(tmpdir(), "parlance-template-"));
      writeFileSync(join(folder, "tools.jinja"), withTools);
      const address = parseOwnAddress(`gguf:${path}?template=${join(folder, "tools.jinja")}`, ["gguf"])!;
      engine = createOwnChat({ ...openGguf("SVC_CHAT_ENGINE", address, "chat", settings), log: silentLog, threads: 0 });
    });
    afterAll(async () => {
      await engine.host.close();
      rmSync(folder, { recursive: true, force: true });
    });

    async function answer(fields: Partial<ChatRequest>) {
      const messages = [{ role: "user" as const, content: "What is the weather in Oslo?" }];
      const request = { messages, temperature: 0, maxTokens: 80, key: "k", flow: "f", ...fields };
      let text = "";
      let calls: readonly ToolCall[] = [];
      let finishReason = "";
      for await (const event of engine.answer(request, new AbortController().signal)) {
        if (event.type === "delta") text += event.text;
        else {
          calls = event.toolCalls ?? [];
          ({ finishReason } = event);
        }
      }
      return { text, calls, finishReason };
    }
    const tools = [
      {
        name: "get_weather",
        description: "The weather of a city",
        parameters: {
          type: "object",
          properties: { city: { type: "string" }, unit: { enum: ["celsius", "fahrenheit"] } },
          required: ["city"],
        },
      },
      { name: "get_time", parameters: { type: "object", properties: { zone: { type: "string" } } } },
    ];

    it("is named after its file, chats with its own template and keeps its window", async () => {
      expect(engine.modelName).toBe("tinyllama-1.1b-chat-q8_0");
      expect(engine.contextTokens).toBe(1024);
      expect(engine.callsTools).toBe(true);
      const { text } = await answer({
        messages: [{ role: "user", content: "What is the capital of France?" }],
        maxTokens: 8,
      });
      expect(text).not.toBe("");
      expect(text).not.toMatch(/<\|/);
    });

    it("calls the tool that it must, with arguments that fit its schema", async () => {
      const { calls, text } = await answer({ tools, toolChoice: { name: "get_weather" } });
      expect(text).toBe("");
      expect(calls).toHaveLength(1);
      expect(calls[0]).toMatchObject({ id: expect.stringMatching(/^call_\w+$/), name: "get_weather" });
      expect(JSON.parse(calls[0]!.arguments)).toEqual({
        city: expect.any(String),
        unit: expect.stringMatching(/^(celsius|fahrenheit)$/),
      });
    });

    it("goes on after a tool has answered", async () => {
      const call = { id: "call_1", name: "get_weather", arguments: '{"city":"Oslo"}' };
      const { text } = await answer({
        messages: [
          { role: "user", content: "What is the weather in Oslo?" },
          { role: "assistant", content: "", toolCalls: [call] },
          { role: "tool", content: "It rains in Oslo.", toolCallId: "call_1" },
        ],
        maxTokens: 8,
      });
      expect(text).not.toBe("");
    });
  });
}
