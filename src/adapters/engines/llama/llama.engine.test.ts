import { afterAll, describe, expect, it } from "vitest";
import { lacksModels, modelStore } from "../../../../tests/support/local-speech.ts";
import { silentLog } from "../../../platform/log.ts";
import { chatEngineContract } from "../../../ports/chat-engine.contract.ts";
import type { ChatMessage, ChatRequest, ChatUsage } from "../../../ports/chat-engine.ts";
import { createLlamaChat } from "./llama-chat.ts";
import { CHAT_MODEL } from "./model-file.ts";

if (lacksModels(CHAT_MODEL)) describe.skip("llama as a chat engine", () => it("needs its model", () => {}));
else {
  // A small window, so that overflowing it takes seconds.
  const windowTokens = 256;
  const engine = createLlamaChat({ models: modelStore, log: silentLog, threads: 0, windowTokens });
  afterAll(() => engine.host.close());

  chatEngineContract("llama", async () => ({ engine, async close() {} }));

  describe("llama", () => {
    async function answer(messages: ChatMessage[], fields: Partial<ChatRequest> = {}) {
      const request = { messages, temperature: 0, maxTokens: 16, key: "k", flow: "f", ...fields };
      let text = "";
      let usage: ChatUsage | undefined;
      let finishReason = "";
      for await (const event of engine.answer(request, new AbortController().signal)) {
        if (event.type === "delta") text += event.text;
        else ({ usage, finishReason } = event);
      }
      return { text, usage: usage!, finishReason };
    }
    const user = (content: string): ChatMessage => ({ role: "user", content });

    it("remembers the beginning of a conversation that goes on, for the same key only", async () => {
      const opening = user("My name is Ada and I live in Paris. What is the capital of France?");
      // What is answered does not matter here, and every word of it takes time.
      const first = await answer([opening], { maxTokens: 4 });
      const reply: ChatMessage = { role: "assistant", content: first.text };
      const next = [opening, reply, user("And of Spain?")];
      const second = await answer(next, { maxTokens: 4 });
      expect(second.usage.cachedTokens).toBeGreaterThanOrEqual(first.usage.inputTokens - 8);
      expect(second.usage.cachedTokens).toBeLessThan(second.usage.inputTokens);
      const stranger = await answer(next, { key: "other", maxTokens: 4 });
      expect(stranger.usage.cachedTokens).toBe(0);
      expect(stranger.usage.inputTokens).toBe(second.usage.inputTokens);
    });

    it("answers several conversations at once, each its own", async () => {
      const words = ["apple", "river", "window", "carpet"];
      const answers = await Promise.all(
        words.map((word, index) =>
          answer([user(`The secret word is ${word}. What is the secret word?`)], {
            key: `key-${index}`,
            maxTokens: 12,
          }),
        ),
      );
      const mentions = answers.map(({ text }) => words.filter((word) => text.toLowerCase().includes(word)));
      for (const [index, mentioned] of mentions.entries()) {
        expect(mentioned.filter((word) => word !== words[index])).toEqual([]);
      }
      // A small model does not always do as it is asked; mixing conversations up is what must never happen.
      expect(mentions.filter((mentioned) => mentioned.length > 0).length).toBeGreaterThanOrEqual(2);
    });

    it("fits a conversation longer than its window without an error", async () => {
      const history = Array.from({ length: 60 }, (_, index): ChatMessage => {
        return {
          role: index % 2 === 0 ? "user" : "assistant",
          content: `Message ${index}. ${"Filler words. ".repeat(20)}`,
        };
      });
      const { usage } = await answer([{ role: "system", content: "Be brief." }, ...history, user("Say yes.")], {
        maxTokens: 4,
      });
      expect(usage.inputTokens).toBeLessThanOrEqual(windowTokens - 4);
      expect(usage.inputTokens).toBeGreaterThan(windowTokens * 0.6);
    });

    it("gives JSON that fits a schema, and valid JSON even when it is cut", async () => {
      const schema = {
        type: "object",
        properties: { city: { type: "string" }, isCapital: { type: "boolean" } },
        required: ["city", "isCapital"],
      };
      const question = [user("Paris is the capital of France. Give the city and whether it is a capital, as JSON.")];
      const whole = await answer(question, { jsonSchema: schema, maxTokens: 60 });
      expect(JSON.parse(whole.text)).toEqual({
        city: expect.stringContaining("Paris"),
        isCapital: expect.any(Boolean),
      });
      const cut = await answer(question, { jsonSchema: schema, maxTokens: 5 });
      expect(cut.finishReason).toBe("length");
      expect(() => JSON.parse(cut.text)).not.toThrow();
    });

    it("ends an answer before a stop text", async () => {
      const { text } = await answer([user("Count from one to ten, separated by commas.")], { stop: ["five", "5"] });
      expect(text).not.toMatch(/five|5/);
    });
  });
}
