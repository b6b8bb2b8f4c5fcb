import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { lacksModels, modelStore } from "../../../../tests/support/local-speech.ts";
import { silentLog } from "../../../platform/log.ts";
import { embeddingEngineContract } from "../../../ports/embedding-engine.contract.ts";
import { openTokenizer } from "../own-weights/text-tokenizer.ts";
import { BGE_MODEL, createBge } from "./bge.ts";

if (lacksModels(BGE_MODEL)) describe.skip("bge as an embedding engine", () => it("needs its model", () => {}));
else {
  const open = async () => {
    const engine = createBge({ models: modelStore, log: silentLog, lanes: 2 });
    return { engine, close: () => engine.host.close() };
  };
  embeddingEngineContract("bge", open);

  describe("bge", () => {
    it("is cut into the same tokens by its words alone as by its whole tokenizer", () => {
      const whole = openTokenizer(modelStore.folder(BGE_MODEL)).tokenizer;
      const folder = mkdtempSync(join(tmpdir(), "parlance-words-"));
      try {
        const words = [...whole.get_vocab()].sort(([, a], [, b]) => a - b).map(([word]) => word);
        writeFileSync(join(folder, "vocab.txt"), `${words.join("\n")}\n`);
        const { tokenizer } = openTokenizer(folder);
        for (const text of ["Hello, Wörld!", "don't  re-enter\tИван 東京 4711", "\u0000 unaffable \u00ad\ufffd", ""]) {
          const pair = { text_pair: "A déjà-vu." };
          expect(tokenizer.encode(text, pair).ids).toEqual(whole.encode(text, pair).ids);
        }
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
    });

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
