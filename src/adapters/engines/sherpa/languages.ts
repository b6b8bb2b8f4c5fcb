import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { table } from "../../../platform/table.ts";
import type { Recognised } from "./recognise-folder.ts";

/** Parakeet TDT 0.6B v3 (NVIDIA's model card). */
const parakeet3 = "bg hr cs da nl en et fi fr de el hu it lv lt mt pl pt ro sk sl es sv ru uk".split(" ");

/** What is known of models whose files do not tell. */
const byName: readonly (readonly [RegExp, readonly string[]])[] = [
  [/parakeet.*v3/i, parakeet3],
  [/parakeet/i, ["en"]],
  [/giga-?am/i, ["ru"]],
  [/moonshine.*[-_](en|es|ar|ja|ko|uk|vi|zh)\b/i, []],
];

/** By the first letter of Kokoro's voices. */
const kokoroLetters: Readonly<Record<string, string>> = table({
  a: "en-us",
  b: "en-gb",
  e: "es",
  f: "fr",
  h: "hi",
  i: "it",
  j: "ja",
  p: "pt-br",
  z: "zh",
});

/** What a recognised folder hears or speaks, as lower-case BCP 47; undefined when nobody says. */
export function languagesOfFolder(recognised: Recognised): readonly string[] | undefined {
  const { kind, metadata, folder, files } = recognised;
  const told = metadata.get("all_language_codes") ?? metadata.get("languages");
  if (metadata.get("is_multilingual") === "0") return ["en"];
  if (told)
    return told
      .split(/[,\s]+/)
      .map(clean)
      .filter(Boolean);
  const voices = metadata.get("speaker_names");
  if (kind.config === "kokoro" && voices) {
    return [...new Set(voices.split(",").map((name) => kokoroLetters[name.trim()[0] ?? ""] ?? ""))].filter(Boolean);
  }
  if (files.rules) return whisperLanguagesOf(files.rules);
  if (kind.config === "vits" && metadata.get("voice")) return [clean(metadata.get("voice")!)];
  if (kind.languages) return kind.languages;
  for (const [pattern, languages] of byName) {
    const match = pattern.exec(basename(folder));
    if (match) return languages.length > 0 ? languages : [match[1]!.toLowerCase()];
  }
  return undefined;
}

function whisperLanguagesOf(rules: string): string[] {
  const read = JSON.parse(readFileSync(rules, "utf8")) as { lang_to_id?: Record<string, number> };
  return Object.keys(read.lang_to_id ?? { "<|en|>": 0 }).map((mark) => clean(mark.slice(2, -2)));
}

function clean(code: string): string {
  return code.trim().toLowerCase().replaceAll("_", "-");
}
