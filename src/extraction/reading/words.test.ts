import { expect, it } from "vitest";
import { hasLegalForm, hasStreetWord } from "./words.ts";

it("a short word counts in its own case, with a capital and in capitals, but an abbreviation only as it is written", () => {
  for (const name of [
    "Marrow Foods Inc",
    "MARROW FOODS INC",
    "Aurora Tools Ltd",
    "Svea Bygg AB",
    "Lipa Gradnje d.o.o.",
  ])
    expect(hasLegalForm(name), name).toBe(true);
  expect(hasLegalForm("gültig ab 5 Stück")).toBe(false);
  expect(hasLegalForm("5611 AB Eindhoven")).toBe(false);
  for (const street of ["221 Harbour Rd", "Via Roma 3", "rue des Lilas 4"])
    expect(hasStreetWord(street), street).toBe(true);
});
