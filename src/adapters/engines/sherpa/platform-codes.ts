import { table } from "../../../platform/table.ts";

/** Where the platform tells kinds of a language apart that a model does not. */
const codes: Readonly<Record<string, readonly string[]>> = table({
  en: ["en-us", "en-gb"],
  pt: ["pt-br", "pt-pt"],
  no: ["nb"],
  nn: ["nb"],
});

/** A model's codes as clients write them. */
export function platformCodes(own: readonly string[]): string[] {
  return [...new Set(own.flatMap((code) => codes[code] ?? [code]))];
}

/** The model's code for one of the platform's; undefined where it knows none. */
export function ownCode(code: string, own: readonly string[]): string | undefined {
  if (own.includes(code)) return code;
  const base = code.split("-")[0]!;
  return (
    own.find((one) => codes[one]?.includes(code)) ??
    own.find((one) => one === base) ??
    own.find((one) => one.split("-")[0] === base)
  );
}
