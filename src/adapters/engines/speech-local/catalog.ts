import { table } from "../../../platform/table.ts";
import type { SpeechFamily } from "../../../ports/speech-engine.ts";
import type { CatalogVoice } from "./catalog-voice.ts";
import { piperVoices } from "./piper-voices.ts";

export interface CatalogLanguage {
  readonly code: string;
  readonly label: string;
  readonly engine: SpeechFamily;
  /** The phonemizer's name of the language where it differs from the code. */
  readonly phonemes?: string;
  readonly voices: readonly CatalogVoice[];
}

const american = voices("af", "Heart Bella Nicole Aoede Kore Sarah Nova Alloy Jessica River Sky", "female").concat(
  voices("am", "Michael Fenrir Puck Echo Eric Liam Onyx Santa Adam", "male"),
);
const british = voices("bf", "Emma Isabella Alice Lily", "female").concat(
  voices("bm", "George Fable Lewis Daniel", "male"),
);
const spanish = [...voices("ef", "Dora", "female"), ...voices("em", "Alex Santa", "male")];
const french = voices("ff", "Siwis", "female");
const italian = [...voices("if", "Sara", "female"), ...voices("im", "Nicola", "male")];
const brazilian = [...voices("pf", "Dora", "female"), ...voices("pm", "Alex Santa", "male")];

/** Voices that carry over well into languages they were not trained for. */
const borrowed: Readonly<Record<string, CatalogVoice>> = table({
  emma: withAccent(british[0]!, "British"),
  george: withAccent(british[4]!, "British"),
  dora: withAccent(spanish[0]!, "Spanish"),
  alex: withAccent(spanish[1]!, "Spanish"),
  siwis: withAccent(french[0]!, "French"),
  sara: withAccent(italian[0]!, "Italian"),
  nicola: withAccent(italian[1]!, "Italian"),
});

/** Everything that can be spoken, in the order of the catalog. Where the voices of a language were heard back, the one that was understood
 *  best comes first (docs/figures/text-to-speech.md). Previews are languages that no voice was trained for. */
export const speechCatalog: readonly CatalogLanguage[] = [
  { code: "en-us", label: "English (United States)", engine: "engine_a", voices: [...american, ...piperVoices] },
  { code: "en-gb", label: "English (United Kingdom)", engine: "engine_a", voices: british },
  { code: "es", label: "Spanish", engine: "engine_a", voices: spanish },
  { code: "fr", label: "French", engine: "engine_a", voices: [...french, ...borrow("nicola sara alex")] },
  { code: "it", label: "Italian", engine: "engine_a", voices: [...italian, ...borrow("dora alex")] },
  { code: "pt-br", label: "Portuguese (Brazil)", engine: "engine_a", voices: brazilian },
  preview("pt-pt", "Portuguese (Portugal)", "dora alex sara", "pt"),
  preview("de", "German", "nicola george siwis emma"),
  preview("nl", "Dutch", "george nicola emma"),
  preview("sv", "Swedish", "george nicola emma"),
  preview("nb", "Norwegian", "emma nicola george"),
  preview("fi", "Finnish", "nicola dora sara"),
  preview("is", "Icelandic", "emma nicola george"),
  preview("pl", "Polish", "sara nicola alex"),
  preview("sk", "Slovak", "sara nicola alex"),
  preview("sl", "Slovenian", "sara nicola alex"),
  preview("hr", "Croatian", "sara nicola alex"),
  preview("sr", "Serbian", "sara nicola alex"),
  preview("mk", "Macedonian", "sara nicola alex"),
  preview("bg", "Bulgarian", "sara nicola alex"),
  preview("ru", "Russian", "alex nicola sara"),
  preview("uk", "Ukrainian", "sara nicola alex"),
  preview("ro", "Romanian", "nicola dora sara"),
  preview("hu", "Hungarian", "nicola sara dora"),
  preview("ca", "Catalan", "alex dora sara"),
  preview("el", "Greek", "alex dora sara"),
  preview("lv", "Latvian", "sara nicola alex"),
  preview("tr", "Turkish", "dora sara nicola"),
  preview("cy", "Welsh", "emma george nicola"),
  preview("ga", "Irish", "emma george nicola"),
  preview("cs", "Czech", "sara nicola alex"),
  preview("da", "Danish", "emma nicola george"),
  preview("et", "Estonian", "sara nicola dora"),
  preview("lt", "Lithuanian", "sara nicola alex"),
  preview("be", "Belarusian", "sara nicola alex"),
  preview("bs", "Bosnian", "sara nicola alex"),
  preview("sq", "Albanian", "sara nicola dora"),
  preview("eu", "Basque", "dora alex sara"),
  preview("mt", "Maltese", "sara nicola alex"),
  preview("lb", "Luxembourgish", "siwis nicola emma"),
  preview("gd", "Scottish Gaelic", "emma george nicola"),
  preview("ka", "Georgian", "sara nicola alex"),
  preview("hy", "Armenian", "sara nicola alex"),
  { code: "hi", label: "Hindi", engine: "engine_b", voices: voices("hf", "Alpha", "female") },
  indian("bn", "Bengali", "hf_beta"),
  indian("ta", "Tamil", "hf_alpha"),
  indian("te", "Telugu", "hf_beta"),
  indian("mr", "Marathi", "hf_alpha"),
  indian("gu", "Gujarati", "hf_beta"),
  indian("kn", "Kannada", "hf_alpha"),
  indian("ml", "Malayalam", "hf_beta"),
  indian("pa", "Punjabi", "hm_omega"),
  indian("ur", "Urdu", "hm_psi"),
  indian("as", "Assamese", "hf_beta"),
  // espeak-ng's own Konkani names the vowel signs instead of reading them; Marathi shares the script and nearly all sounds.
  { ...indian("kok", "Konkani", "hf_alpha"), phonemes: "mr" },
  indian("ne", "Nepali", "hf_alpha"),
  indian("or", "Odia", "hf_beta"),
  indian("sd", "Sindhi", "hm_psi"),
  indian("ar", "Arabic", "hm_omega"),
];

function voices(prefix: string, names: string, gender: "female" | "male"): CatalogVoice[] {
  return names.split(" ").map((name) => {
    const id = `${prefix}_${name.toLowerCase()}`;
    return { id, label: `${name}, ${gender}`, model: "kokoro", name: id };
  });
}

function withAccent(voice: CatalogVoice, accent: string): CatalogVoice {
  return { ...voice, label: `${voice.label.split(",")[0]}, ${accent} accent` };
}

function borrow(names: string): CatalogVoice[] {
  return names.split(" ").map((name) => borrowed[name]!);
}

function preview(code: string, label: string, names: string, phonemes?: string): CatalogLanguage {
  const known = { code, label: `${label} (preview)`, engine: "engine_a" as const, voices: borrow(names) };
  return phonemes === undefined ? known : { ...known, phonemes };
}

function indian(code: string, label: string, name: string): CatalogLanguage {
  const person = name.slice(3, 4).toUpperCase() + name.slice(4);
  const voice = { id: name, label: `${person}, Hindi accent`, model: "kokoro" as const, name };
  return { code, label: `${label} (preview)`, engine: "engine_b", voices: [voice] };
}
