import { existsSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { lacksModels, modelStore } from "../../../../tests/support/local-speech.ts";
import { silentLog } from "../../../platform/log.ts";
import { translationEngineContract } from "../../../ports/translation-engine.contract.ts";
import { createApertium, MODES_FOLDER } from "../apertium/apertium.ts";
import { readDirections } from "../translation-router/directions.ts";
import { createTranslator, TRANSLATOR_MODEL, type Translator } from "./translator.ts";

const open = () => createTranslator({ models: modelStore, log: silentLog, directions: readDirections() });

if (existsSync(`${MODES_FOLDER}/eng-spa.mode`)) {
  translationEngineContract("apertium", async () => {
    const engine = createApertium({ log: silentLog });
    return { engine, close: () => engine.host.close() };
  });
}

if (lacksModels(TRANSLATOR_MODEL)) describe.skip("the translator", () => it("needs its model", () => {}));
else {
  translationEngineContract("the translator", async () => {
    const engine = open();
    return { engine, close: () => engine.host.close() };
  });

  describe("the translator", () => {
    let engine: Translator;
    beforeAll(() => {
      engine = open();
    });
    afterAll(() => engine.host.close());
    const run = async (source: string, target: string, text: string) =>
      (await engine.run({ text, source, target })).text;

    it("translates from and into English, and through English between others", async () => {
      expect(await run("en", "de", "The house is big.")).toMatch(/Haus.*groß/);
      expect(await run("de", "en", "Das Haus ist groß.")).toMatch(/house.*(big|large)/i);
      expect(await run("hi", "en", "मैं कल बाज़ार जाऊँगा।")).toMatch(/tomorrow/i);
      expect(await run("en", "bn", "I will go to the market tomorrow.")).toMatch(/^[\u0980-\u09ff\s।]+$/);
      expect(await run("de", "fr", "Das Haus ist groß.")).toMatch(/maison/i);
    });

    it("knows greetings and thanks by heart, also in the middle of a text and between two other languages", async () => {
      expect(await run("en", "es", "Good morning! How are you?")).toBe("¡Buenos días! ¿Cómo estás?");
      expect(await run("en", "de", "Thank you very much.")).toBe("Vielen Dank.");
      expect(await run("fr", "de", "Joyeux anniversaire !")).toBe("Alles Gute zum Geburtstag!");
      expect(await run("en", "hi", "Happy birthday")).toBe("जन्मदिन मुबारक हो");
    });

    it.each([
      ["de", /Wir sehen uns am Donnerstag um 10:00 Uhr/, /zwei Kilo Kartoffeln/, /Niemand/],
      ["es", /Nos vemos el jueves a las 10:00/, /dos kilos de patatas/, /Nadie/],
      ["fr", /On se voit jeudi à 10h00/, /deux kilos de pommes de terre/, /Personne ne/],
      ["hi", /गुरुवार को 10:00 बजे मिलते/, /दो किलो आलू/, /किसी ने नहीं/],
    ])("brings times, quantities and negations into %s", async (language, time, quantity, negation) => {
      expect(await run("en", language, "See you at 10 AM on Thursday.")).toMatch(time);
      expect(await run("en", language, "I bought two kilos of potatoes.")).toMatch(quantity);
      expect(await run("en", language, "Nobody told him.")).toMatch(negation);
    });

    it("carries numbers, unknown names and other scripts over", async () => {
      const text = await run("en", "de", "Zblorg paid 1250 euros for 17 copies of 日本 in 1998.");
      for (const kept of ["Zblorg", "1250", "17", "日本", "1998"]) expect(text).toContain(kept);
      expect(await run("en", "de", "Привет, мир.")).toBe("Привет, мир.");
    });

    it("translates a sentence that is longer than any it was trained on, to its end", async () => {
      const clause = "the house is big, and the garden is small, and the car is red, and the window is open, ";
      const text = await run("en", "de", `${clause.repeat(5)}and the dog is old.`);
      expect(text.match(/Garten/gi)!.length).toBeGreaterThan(3);
      expect(text).toMatch(/Hund/);
    });

    it("says the same about a text whatever is translated beside it, when that is asked for", async () => {
      const directions = engine.directions();
      const { source, target } = directions.find((one) => one.source === "de" && one.target === "en-us")!;
      const ask = (text: string, isSteady: boolean) =>
        engine.translate({ text, source, target, key: "k", flow: text, isSteady }, new AbortController().signal);
      const text = "Der Ausschuss hat gestern über die neuen Regeln für den Handel gesprochen.";
      const alone = (await ask(text, true)).text;
      const [among] = await Promise.all([ask(text, true), ask("Ein anderer Satz.", false), ask("Noch einer.", false)]);
      expect(among.text).toBe(alone);
    });

    it("takes odd texts without falling over", async () => {
      for (const text of ["</s> <2de> <pad>", "aaaa".repeat(500), "?", "a", "\u200b", "𝒳 ½ ﷽ x", "한국어 text 中文"]) {
        expect(typeof (await run("en", "de", text))).toBe("string");
      }
      expect(engine.host.status().restarts).toBe(0);
    });
  });
}
