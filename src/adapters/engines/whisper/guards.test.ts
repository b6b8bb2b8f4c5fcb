import { describe, expect, it } from "vitest";
import { chooseToken, createRandom } from "./choose-token.ts";
import { dropCredits } from "./drop-credits.ts";
import { isOtherLanguage, isUnoffered, offeredOf } from "./judge-language.ts";
import type { Identified } from "./model.ts";

const identified = (probabilities: Record<string, number>): Identified => ({
  probabilities: new Map(Object.entries(probabilities)),
  silence: 0,
  memory: {},
});

describe("credits of films", () => {
  it.each([
    ["Untertitel der Amara.org-Community", ""],
    ["Das war alles. Untertitel im Auftrag des ZDF für funk, 2017", "Das war alles."],
    ["Bis morgen. Vielen Dank fürs Zuschauen!", "Bis morgen."],
    ["Sous-titres réalisés par la communauté d'Amara.org", ""],
    ["Продолжение следует...", ""],
    ["Legendas pela comunidade Amara.org", ""],
    ["Der Untertitel ist zu klein.", "Der Untertitel ist zu klein."],
    ["Vielen Dank für die Einladung.", "Vielen Dank für die Einladung."],
  ])("%s becomes %j", (text, kept) => {
    expect(dropCredits(text, 5)).toBe(kept);
  });

  it("drops a thank-you where hardly anybody spoke, and keeps one that was said", () => {
    expect(dropCredits("Thank you.", 0.2)).toBe("");
    expect(dropCredits("Danke.", 0.6)).toBe("Danke.");
  });
});

describe("which language is spoken", () => {
  it("is the likeliest, when it is offered", () => {
    expect(offeredOf(identified({ de: 0.7, en: 0.3 }), ["de", "en"])).toEqual({ language: "de", likelihood: 0.7 });
    expect(offeredOf(identified({ ml: 0.7, en: 0.3 }), ["de", "en"])).toBeUndefined();
  });

  it("is none of those that are offered only when that is certain", () => {
    expect(isUnoffered(identified({ ml: 0.97, en: 0.01 }), ["de", "en"])).toBe(true);
    expect(isUnoffered(identified({ ml: 0.6, en: 0.3 }), ["de", "en"])).toBe(false);
    expect(isUnoffered(identified({ de: 0.97 }), ["de", "en"])).toBe(false);
  });

  it("is another than the pinned one only when that is certain, or doubted already", () => {
    expect(isOtherLanguage(identified({ es: 0.97, fr: 0.01 }), "fr", false)).toBe(true);
    expect(isOtherLanguage(identified({ es: 0.7, fr: 0.1 }), "fr", false)).toBe(false);
    expect(isOtherLanguage(identified({ es: 0.7, fr: 0.1 }), "fr", true)).toBe(true);
    expect(isOtherLanguage(identified({ fr: 0.7, es: 0.1 }), "fr", true)).toBe(false);
  });

  it("tells German from Dutch and Spanish from Portuguese where it is certain", () => {
    expect(isOtherLanguage(identified({ de: 0.95, nl: 0.001 }), "nl", false)).toBe(true);
    expect(isOtherLanguage(identified({ es: 0.9, pt: 0.005 }), "pt", false)).toBe(true);
    expect(isOtherLanguage(identified({ es: 0.72, gl: 0.26, pt: 0.002 }), "pt", false)).toBe(true);
    expect(isOtherLanguage(identified({ nl: 0.93, af: 0.04, de: 0.018 }), "de", false)).toBe(true);
    expect(isOtherLanguage(identified({ nl: 0.36, de: 0.18 }), "de", true)).toBe(false);
    expect(isOtherLanguage(identified({ de: 0.95, nl: 0.02 }), "nl", false)).toBe(false);
    expect(isOtherLanguage(identified({ af: 0.95, nl: 0.001 }), "nl", false)).toBe(false);
  });

  it("is never another when that is a close relative", () => {
    expect(isOtherLanguage(identified({ nn: 0.99, no: 0.001 }), "no", false)).toBe(false);
    expect(isOtherLanguage(identified({ sl: 0.9, ru: 0.001 }), "ru", false)).toBe(false);
    expect(isOtherLanguage(identified({ gl: 0.99, pt: 0.001 }), "pt", true)).toBe(false);
  });
});

describe("the next token", () => {
  const choices = { tokens: [7, 8, 9], logProbabilities: [Math.log(0.6), Math.log(0.3), Math.log(0.1)] };

  it("is the likeliest at temperature 0", () => {
    expect(chooseToken(choices, 0, () => 0.99)).toEqual({ token: 7, logProbability: Math.log(0.6) });
  });

  it("is by chance at a temperature, more so the higher it is", () => {
    expect(chooseToken(choices, 1, () => 0.65).token).toBe(8);
    expect(chooseToken(choices, 0.2, () => 0.65).token).toBe(7);
    expect(chooseToken(choices, 1, () => 0.999999).token).toBe(9);
  });

  it("is the same by chance every time", () => {
    const [one, other] = [createRandom(5), createRandom(5)];
    const drawn = Array.from({ length: 100 }, one);
    expect(drawn).toEqual(Array.from({ length: 100 }, other));
    expect(Math.min(...drawn)).toBeGreaterThanOrEqual(0);
    expect(Math.max(...drawn)).toBeLessThan(1);
  });
});
