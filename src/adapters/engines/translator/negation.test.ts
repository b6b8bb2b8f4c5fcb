import { describe, expect, it } from "vitest";
import { losesNegation } from "./negation.ts";

describe("negation between a sentence and its translation", () => {
  it.each([
    ["Nobody told him.", "en", "Alguien se lo dijo.", "es"],
    ["I do not smoke.", "en", "Ich rauche.", "de"],
    ["I don't know.", "en", "Je sais.", "fr"],
    ["Ich habe kein Geld.", "de", "I have money.", "en"],
    ["Il ne vient jamais.", "fr", "He always comes.", "en"],
    ["Non ho fame.", "it", "I am hungry.", "en"],
    ["She is here.", "en", "Ella no está aquí.", "es"],
    ["Hij komt nooit.", "nl", "He comes.", "en"],
    ["Ninguém sabe.", "pt", "Everybody knows.", "en"],
  ])("%s (%s) as %s (%s) is a loss", (source, from, translated, into) => {
    expect(losesNegation(source, from, translated, into)).toBe(true);
  });

  it.each([
    ["Nobody told him.", "en", "Nadie se lo dijo.", "es"],
    ["I don't know.", "en", "Ich weiß es nicht.", "de"],
    ["He came without money.", "en", "Er kam ohne Geld.", "de"],
    ["She is unhappy.", "en", "Ella no es feliz.", "es"],
    ["Only you know.", "en", "No lo sabe nadie más que tú.", "es"],
    ["Une personne attend.", "fr", "A person is waiting.", "en"],
    ["I cannot come.", "en", "Je ne peux pas venir.", "fr"],
    ["I do not smoke.", "en", "मैं पीता हूँ।", "hi"],
    ["Hello.", "en", "Hola.", "es"],
    ["Es ist mir egal.", "de", "I don't care.", "en"],
    ["Tú lo sabes, ¿verdad?", "es", "You know it, don't you?", "en"],
  ])("%s (%s) as %s (%s) is none", (source, from, translated, into) => {
    expect(losesNegation(source, from, translated, into)).toBe(false);
  });
});
