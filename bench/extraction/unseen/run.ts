import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { extractFields } from "../../../src/extraction/fields/extract-fields.ts";
import type { ReadDocument } from "../../../src/ports/document-reader.ts";
import { option, withOcr } from "../known-documents.ts";
import { printFamilies } from "../print-families.ts";
import { readForBench } from "../read-set.ts";
import { type Entry, type Score, scoreAll } from "./score-entry.ts";

/**
 * Documents made by tools of others, scored by layout family.
 * Run: npm run bench -- extraction/unseen/run FOLDER [--cache FOLDER] [--misses] [--only FAMILY]
 */
const folder = process.argv[2] ?? "";
if (!existsSync(join(folder, "manifest.json")))
  throw new Error("Make the documents first: npm run bench -- extraction/unseen/generate FOLDER");
const only = option("only");
const manifest = JSON.parse(readFileSync(join(folder, "manifest.json"), "utf8")) as Entry[];
const families = new Map<string, Score[]>();
let milliseconds = 0;
let pages = 0;
await withOcr(async (recogniser) => {
  for (const entry of manifest)
    if (!only || entry.family.includes(only))
      measure(entry, (await readForBench(join(folder, entry.file), recogniser, option("cache"))).document);
});

function measure(entry: Entry, document: ReadDocument): void {
  const start = performance.now();
  const found = extractFields(document);
  milliseconds += performance.now() - start;
  pages += document.pages.length;
  const scores = scoreAll(entry, found);
  families.set(entry.family, [...(families.get(entry.family) ?? []), ...scores]);
  if (!process.argv.includes("--misses")) return;
  for (const { outcomes, isTyped, lines } of scores) {
    if (!isTyped) console.log(`${entry.id} type: want ${entry.type} got ${found.document_type}`);
    if (lines.hits < lines.wanted || lines.found > lines.wanted)
      console.log(`${entry.id} lines: ${lines.hits} of ${lines.wanted}, ${lines.found} found`);
    for (const { field, want, got, confidence } of outcomes.filter((outcome) => !outcome.isRight))
      console.log(`${entry.id} ${field}: want ${JSON.stringify(want)} got ${JSON.stringify(got)} at ${confidence}`);
  }
}

printFamilies(families);
console.log(`${(milliseconds / Math.max(1, pages)).toFixed(1)} ms a page to understand.`);
