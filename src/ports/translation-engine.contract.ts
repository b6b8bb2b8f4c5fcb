import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { TranslationEngine } from "./translation-engine.ts";

/** What every translation engine promises. `create` brings one up and says how to take it down. */
export function translationEngineContract(
  name: string,
  create: () => Promise<{ engine: TranslationEngine; close(): Promise<void> }>,
): void {
  describe(`${name} as a translation engine`, () => {
    let engine: TranslationEngine;
    let close: () => Promise<void>;
    beforeAll(async () => {
      ({ engine, close } = await create());
    });
    afterAll(() => close());

    const translate = (text: string, signal = new AbortController().signal, target = "es") =>
      engine.translate({ text, source: "en-us", target, key: "contract", flow: "contract" }, signal);

    it("names its directions, each once", () => {
      const names = engine.directions().map(({ source, target }) => `${source} ${target}`);
      expect(names).toContain("en-us es");
      expect(new Set(names).size).toBe(names.length);
    });

    it("translates, and counts what it read and wrote", async () => {
      const { text, usage } = await translate("The house is big.");
      expect(text).toMatch(/casa.*grande/i);
      expect(usage.inputTokens).toBeGreaterThan(3);
      expect(usage.outputTokens).toBeGreaterThan(3);
    });

    it("keeps line breaks, gaps, numbers, addresses and markup", async () => {
      const text = "The house is big.\n\n  Write to me@example.org by 12 May 2031.\r\n\tThe <b>house</b> is {size}.";
      const { text: translated } = await translate(text);
      for (const kept of ["\n\n  ", "me@example.org", "12", "2031", "\r\n\t", "<b>", "</b>", "{size}"]) {
        expect(translated).toContain(kept);
      }
      expect(translated.split(/\r?\n/)).toHaveLength(4);
    });

    it("refuses a direction that it does not serve", async () => {
      await expect(translate("Hello", undefined, "xx")).rejects.toMatchObject({ kind: "invalid_request" });
    });

    it("ends soon after the signal aborts, and goes on with the next text", async () => {
      await expect(translate("Never", AbortSignal.abort(new Error("never")))).rejects.toThrow();
      const abort = new AbortController();
      const stopped = translate("The house is big. ".repeat(150), abort.signal);
      setImmediate(() => abort.abort(new Error("hung up")));
      await expect(stopped).rejects.toThrow();
      expect((await translate("The house is big.")).text).toMatch(/casa/i);
    });
  });
}
