import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ChatEngine, ChatEvent, ChatRequest } from "./chat-engine.ts";

/** What every chat engine promises. `create` brings one up and says how to take it down. */
export function chatEngineContract(
  name: string,
  create: () => Promise<{ engine: ChatEngine; close(): Promise<void> }>,
): void {
  describe(`${name} as a chat engine`, () => {
    let engine: ChatEngine;
    let close: () => Promise<void>;
    beforeAll(async () => {
      ({ engine, close } = await create());
    });
    afterAll(() => close());

    const request = (fields: Partial<ChatRequest> = {}): ChatRequest => ({
      messages: [{ role: "user", content: "What is the capital of France?" }],
      temperature: 0,
      maxTokens: 12,
      key: "contract",
      flow: "contract",
      ...fields,
    });

    it("answers in whole characters without blanks at either end, then tells what it used, once", async () => {
      const events: ChatEvent[] = [];
      for await (const event of engine.answer(request(), new AbortController().signal)) events.push(event);
      const text = events.map((event) => (event.type === "delta" ? event.text : "")).join("");
      expect(text).not.toBe("");
      expect(text).toBe(text.trim());
      expect(text).not.toContain("\uFFFD");
      expect(events.filter(({ type }) => type === "done")).toHaveLength(1);
      const last = events.at(-1)!;
      expect(last.type).toBe("done");
      if (last.type !== "done") return;
      expect(last.usage.inputTokens).toBeGreaterThan(0);
      expect(last.usage.outputTokens).toBeGreaterThan(0);
      expect(last.usage.cachedTokens ?? 0).toBeLessThanOrEqual(last.usage.inputTokens);
    });

    it("stops when the signal aborts, and answers the next request", async () => {
      const abort = new AbortController();
      const stopped = (async () => {
        for await (const event of engine.answer(request({ maxTokens: 400 }), abort.signal)) {
          if (event.type === "delta") abort.abort(new Error("enough"));
        }
      })();
      await expect(stopped).rejects.toThrow();
      let deltas = 0;
      for await (const event of engine.answer(request(), new AbortController().signal)) {
        if (event.type === "delta") deltas += 1;
      }
      expect(deltas).toBeGreaterThan(0);
    });

    it("does not begin when the signal was aborted before", async () => {
      const never = (async () => {
        for await (const _ of engine.answer(request(), AbortSignal.abort(new Error("never"))));
      })();
      await expect(never).rejects.toThrow();
    });
  });
}
