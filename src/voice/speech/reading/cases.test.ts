import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readAloud } from "./read-aloud.ts";

/** What is written, a tab, and the words that must be heard. */
const folder = join(import.meta.dirname, "cases");
const files = readdirSync(folder).map((name) => ({
  language: name.replace(".tsv", ""),
  cases: readFileSync(join(folder, name), "utf8")
    .trim()
    .split("\n")
    .map((line) => line.split("\t") as [string, string]),
}));

describe.each(files)("reading aloud in $language", ({ language, cases }) => {
  it.each(cases)("%s", (written, read) => {
    expect(readAloud(written, language)).toBe(read);
  });
});
