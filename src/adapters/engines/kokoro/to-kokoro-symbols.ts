import { table } from "../../../platform/table.ts";

/** Phonemes of more than one letter that Kokoro writes as one symbol. */
const ONE_SYMBOL: Readonly<Record<string, string>> = table({
  aɪ: "I",
  aʊ: "W",
  dz: "ʣ",
  dʒ: "ʤ",
  eɪ: "A",
  oʊ: "O",
  əʊ: "Q",
  ss: "S",
  ts: "ʦ",
  tʃ: "ʧ",
  ɔɪ: "Y",
});

/** Sounds outside the alphabet, and the nearest ones inside it. A preview needs every sound to be in the alphabet or here. */
const NEAREST: Readonly<Record<string, string>> = table({
  g: "ɡ",
  ʉ: "u",
  ɭ: "l",
  ħ: "h",
  ʕ: "ʔ",
  ˤ: "",
  ʑ: "ʒ",
  ɵ: "o",
  ʏ: "y",
  ɫ: "l",
  ɱ: "m",
  ɬ: "l",
  ʀ: "ʁ",
  ɓ: "b",
  ɗ: "d",
  ɦ: "h",
  ɘ: "ə",
  ɞ: "ɜ",
  ɶ: "œ",
  ɢ: "ɡ",
  ɮ: "l",
  ʍ: "w",
  ɧ: "ʃ",
  ʐ: "ʒ",
  ɝ: "ɜɹ",
  ˑ: "ː",
  ε: "ɛ", // Danish: the Greek letter, meant as the phonetic one
  "\u031d": "ʒ", // raised: the Czech ř
  "\u033a": "", // apical
  "\u033b": "", // laminal
  "\u032a": "", // dental
  "\u0329": "", // syllabic
  "\u032f": "", // not syllabic
  "\u0361": "", // tie
  "\u0325": "", // voiceless
  "\u02e0": "", // velarised
});

const STRESS = /^[ˈˌ]+/u;

/** A word's phonemes, as espeak-ng names them, in Kokoro's spelling of that language. */
export function toKokoroSymbols(word: readonly string[], language: string): string {
  let symbols = word
    .map(spellPhoneme)
    .join("")
    .replace(/ʔˌ?n\u0329|ʔn/gu, "tn");
  if (language === "en-us" || language === "en-gb") symbols = spellEnglish(symbols);
  if (language === "en-us") symbols = spellAmerican(symbols);
  if (language === "en-gb") symbols = symbols.replace(/[eɛ]ə/gu, "ɛː").replace(/iə/gu, "ɪə");
  return [...symbols.normalize("NFD").replaceAll("c\u0327", "ç")]
    .map((symbol) => NEAREST[symbol] ?? symbol)
    .join("")
    .replace(/-/gu, "");
}

function spellPhoneme(phoneme: string): string {
  const stress = STRESS.exec(phoneme)?.[0] ?? "";
  const sound = phoneme.slice(stress.length);
  return stress + (ONE_SYMBOL[sound] ?? sound);
}

function spellEnglish(symbols: string): string {
  return symbols
    .replace(/ʲ(?=[oə])/gu, "j")
    .replace(/ʲ|\u0303/gu, "")
    .replace(/ɚ/gu, "əɹ")
    .replace(/r/gu, "ɹ")
    .replace(/[xç]/gu, "k")
    .replace(/ɐ/gu, "ə")
    .replace(/ɬ/gu, "l");
}

function spellAmerican(symbols: string): string {
  return symbols.replace(/ɾ/gu, "T").replace(/ɜːɹ?/gu, "ɜɹ").replace(/ɪə/gu, "iə").replace(/ː/gu, "");
}
