import type { CatalogVoice } from "./catalog-voice.ts";

/** Speakers of the 904 in the model, chosen by a screening of every ninth for words, pitch and pace (docs/figures/text-to-speech.md). */
const chosen: readonly (readonly [name: string, gender: "female" | "male", speaker: number])[] = [
  ["Clara", "female", 153],
  ["Ruth", "female", 126],
  ["Nora", "female", 279],
  ["June", "female", 306],
  ["Helen", "female", 837],
  ["Ivy", "female", 558],
  ["Maya", "female", 396],
  ["Lucy", "female", 702],
  ["Daisy", "female", 351],
  ["Walter", "male", 594],
  ["Hugo", "male", 342],
  ["Arthur", "male", 297],
  ["Simon", "male", 225],
  ["Felix", "male", 360],
  ["Oscar", "male", 81],
  ["Theo", "male", 828],
  ["Jamie", "male", 333],
];

export const piperVoices: readonly CatalogVoice[] = chosen.map(([name, gender, speaker]) => ({
  id: `en_${name.toLowerCase()}`,
  label: `${name}, ${gender}`,
  model: "piper",
  name: String(speaker),
}));
