import { list, Problem } from "../../platform/errors.ts";
import { table } from "../../platform/table.ts";
import type { SpokenLanguage } from "../../ports/speech-engine.ts";
import { notFetchedYet } from "../not-fetched-yet.ts";

/** Case and underscores are forgiven; a bare or regional form finds its nearest entry. Undefined when there is none. */
export function findLanguage<Entry extends { readonly code: string }>(
  languages: readonly Entry[],
  wanted: string,
): Entry | undefined {
  const code = wanted.trim().toLowerCase().replaceAll("_", "-");
  const base = code.split("-")[0]!;
  return (
    languages.find((language) => language.code === code) ??
    languages.find((language) => language.code === (nearest[code] ?? nearest[base])) ??
    languages.find((language) => language.code === base) ??
    (base === "" ? undefined : languages.find((language) => language.code.split("-")[0] === base))
  );
}

/** Which form a bare code means, and codes that go by another name. */
const nearest: Readonly<Record<string, string>> = table({
  en: "en-us",
  "en-au": "en-gb",
  "en-ie": "en-gb",
  "en-nz": "en-gb",
  "en-za": "en-gb",
  "en-in": "en-gb",
  pt: "pt-br",
  no: "nb",
  nn: "nb",
});

export function getLanguage(languages: readonly SpokenLanguage[], wanted: string): SpokenLanguage {
  const language = findLanguage(languages, wanted);
  if (language !== undefined) return language;
  if (languages.length === 0) {
    throw notFetchedYet("voice model");
  }
  throw new Problem(
    "invalid_request",
    `There is no language "${wanted}". Languages: ${list(languages.map(({ code }) => code))}.`,
  );
}

/** The wanted voice of a language, or its first. `others` are languages that an unknown voice may belong to. */
export function getVoice(
  language: SpokenLanguage,
  wanted: string | undefined,
  others: readonly SpokenLanguage[] = [],
): string {
  if (wanted === undefined || wanted === "") return language.voices[0]!.id;
  const voice =
    language.voices.find(({ id }) => id === wanted) ?? language.voices.find(({ id }) => id === wanted.toLowerCase());
  if (voice !== undefined) return voice.id;
  const speaks = others.filter(({ voices }) => voices.some(({ id }) => id === wanted.toLowerCase()));
  const hint = speaks.length > 0 ? ` That voice speaks: ${list(speaks.map(({ code }) => code))}.` : "";
  throw new Problem(
    "invalid_request",
    `There is no voice "${wanted}" for "${language.code}". Voices: ${list(language.voices.map(({ id }) => id))}.${hint}`,
  );
}
