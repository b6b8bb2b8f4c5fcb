import { table } from "../platform/table.ts";
import { findLanguage } from "./speech/find-voice.ts";

const names = new Intl.DisplayNames("en", { type: "language" });
const regions = new Intl.DisplayNames("en", { type: "region" });
/** Portuguese is written differently in Brazil and in Portugal; elsewhere the region says how a language sounds. */
const regional = new Set(["pt"]);

/** Where the catalog's name is not Unicode's. */
const catalogNames: Readonly<Record<string, string>> = table({ nb: "Norwegian", bn: "Bengali" });

/** "Spanish", "Portuguese (Brazil)": the English name of a language of the catalog. */
export function languageName(code: string): string {
  const [base = code, region] = code.split("-");
  const name = catalogNames[base] ?? names.of(base) ?? code;
  return region && regional.has(base) ? `${name} (${regions.of(region.toUpperCase())})` : name;
}

/** The code among these that a client means; undefined when there is none. */
export function findCode(codes: readonly string[], wanted: string): string | undefined {
  return findLanguage(
    codes.map((code) => ({ code })),
    wanted,
  )?.code;
}
