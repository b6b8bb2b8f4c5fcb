import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { packageRoot } from "../../../platform/package-root.ts";
import { openPhraseMemory } from "./phrase-memory.ts";

const folder = join(packageRoot(), "models", "translator");
const recall = openPhraseMemory(folder);
const from = (language: string) => ({ source: "en", target: language });
const into = (language: string) => ({ source: language, target: "en" });

describe("the memory of phrases", () => {
  it.each([
    ["Good morning", "es", "Buenos días"],
    ["good morning!", "es", "¡Buenos días!"],
    ["How are you?", "de", "Wie geht es dir?"],
    ["Happy birthday!", "fr", "Joyeux anniversaire !"],
    ["Thank you.", "hi", "धन्यवाद।"],
    ["THANK YOU", "it", "GRAZIE"],
    ["See you tomorrow", "nl", "Tot morgen"],
    ["I don’t understand.", "pt", "Não entendo."],
  ])("says %s in %s", (english, language, foreign) => {
    expect(recall(english, from(language))).toBe(foreign);
  });

  it("goes both ways", () => {
    expect(recall("¿Cómo estás?", into("es"))).toBe("How are you?");
    expect(recall("Guten Morgen!", into("de"))).toBe("Good morning!");
    expect(recall("धन्यवाद", into("hi"))).toBe("Thank you");
  });

  it("does not take a question for a statement", () => {
    expect(recall("Tomorrow", from("de"))).toBe("Morgen");
    expect(recall("Good morning?", from("de"))).toBeUndefined();
  });

  it("knows nothing of a sentence that nobody agreed on", () => {
    expect(recall("The quarterly figures were late again.", from("es"))).toBeUndefined();
    expect(recall("x".repeat(10_000), from("es"))).toBeUndefined();
    expect(recall("Hello", from("xx"))).toBeUndefined();
  });

  it("says every phrase of its book as it is written there, both ways, in all seventeen languages", () => {
    const [[, ...languages] = [], ...rows] = readBook();
    expect(languages).toHaveLength(17);
    expect(rows.length).toBeGreaterThanOrEqual(60);
    for (const [english, ...foreign] of rows) {
      for (const [place, language] of languages.entries()) {
        expect(recall(english!, from(language)), `${english} in ${language}`).toBe(foreign[place]);
        // Two phrases can be one in another language, such as good morning and hello in French.
        const meant = rows.filter((row) => row[place + 1] === foreign[place]).map(([one]) => one);
        expect(meant, `${foreign[place]} from ${language}`).toContain(recall(foreign[place]!, into(language)));
      }
    }
  });
});

function readBook(): string[][] {
  const rows = readFileSync(join(folder, "phrase-book.tsv"), "utf8").trim().split("\n");
  return rows.map((row) => row.split("\t"));
}
