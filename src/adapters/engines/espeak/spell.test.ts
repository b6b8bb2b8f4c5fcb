import { expect, it } from "vitest";
import { spellForEspeak } from "./spell.ts";

it("Assamese and Bengali letters with a dot below are spelled as their rules expect, whichever form they came in", () => {
  const [composed, apart] = ["ছ\u09df কা\u09dd", "ছ\u09af\u09bc কা\u09a2\u09bc"];
  expect(composed.normalize("NFC")).toBe(apart);
  expect(spellForEspeak(apart, "as")).toBe("ছ\u09df কা\u09f0");
  expect(spellForEspeak(apart, "bn")).toBe("ছ\u09af\u09bc কা\u09dd");
});

it("other languages are left as they are", () => {
  expect(spellForEspeak("ज\u093cमीन", "hi")).toBe("ज\u093cमीन");
});
