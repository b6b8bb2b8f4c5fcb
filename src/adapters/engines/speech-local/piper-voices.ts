import type { CatalogVoice } from "./catalog.ts";

/** Speakers of the 904 in the model, chosen by a screening for words and pitch (docs/speech.md). */
const chosen: readonly (readonly [name: string, gender: "female" | "male", speaker: number])[] = [
  ["Nora", "female", 0],
  ["Walter", "male", 100],
];

export const piperVoices: readonly CatalogVoice[] = chosen.map(([name, gender, speaker]) => ({
  id: `en_${name.toLowerCase()}`,
  label: `${name}, ${gender}`,
  model: "piper",
  name: String(speaker),
}));
