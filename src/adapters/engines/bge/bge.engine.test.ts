import { describe, expect, it } from "vitest";
import { lacksModels, modelStore } from "../../../../tests/support/local-speech.ts";
import { silentLog } from "../../../platform/log.ts";
import { embeddingEngineContract } from "../../../ports/embedding-engine.contract.ts";
import { BGE_MODEL, createBge } from "./bge.ts";

if (lacksModels(BGE_MODEL)) describe.skip("bge as an embedding engine", () => it("needs its model", () => {}));
else {
  const open = async () => {
    const engine = createBge({ models: modelStore, log: silentLog, lanes: 2 });
    return { engine, close: () => engine.host.close() };
  };
  embeddingEngineContract("bge", open);

  describe("bge", () => {
    it("counts the tokens it reads, and reads a long text to its end", async () => {
      const { engine, close } = await open();
      try {
        const embed = (text: string) =>
          engine.embed({ texts: [text], key: "k", flow: "f" }, new AbortController().signal);
        expect((await embed("hello world")).inputTokens).toBe(4);
        const filler = "The committee met again and talked about the weather. ".repeat(120);
        const long = await embed(filler);
        // 1200 words make three windows, each with two tokens of its own.
        expect(long.inputTokens).toBe(1200 + 6);
        const changed = await embed(`${filler.slice(0, -1000)}${"Bananas grow in the tropics. ".repeat(35)}`);
        const cosine = long.vectors[0]!.reduce((sum, value, index) => sum + value * changed.vectors[0]![index]!, 0);
        expect(cosine).toBeLessThan(0.99);
      } finally {
        await close();
      }
    });
  });
}
