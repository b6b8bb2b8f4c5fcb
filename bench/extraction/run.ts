import { existsSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { createPpOcr } from "../../src/adapters/engines/pp-ocr/pp-ocr.ts";
import { type Extraction, extractFields } from "../../src/extraction/fields/extract-fields.ts";
import { tagDocument } from "../../src/extraction/tag/tag-document.ts";
import { createPageTagger } from "../../src/extraction/tag/tagger.ts";
import type { ReadDocument } from "../../src/ports/document-reader.ts";
import { measureCalibration } from "./calibration.ts";
import { option } from "./known-documents.ts";
import { f1, type Outcome, percent } from "./outcome.ts";
import { type Recogniser, readForBench } from "./read-set.ts";
import { scoreEInvoice, scoreInvoice, scoreLines } from "./score-invoice.ts";
import { scorePairs } from "./score-pairs.ts";
import { scoreReceipt } from "./score-receipt.ts";
import { scoreStatement } from "./score-statement.ts";
import { isScorable, scoreTables } from "./score-tables.ts";
import { findTesseract } from "./tesseract.ts";

/**
 * Field accuracy on the development set, calibration, CPU and memory; receipts also with plain tesseract and the same rules.
 * Run: npm run bench -- extraction/run [--only TYPE] [--cache FOLDER] [--no-peer]
 */
const data = resolve(process.env.PARLANCE_DATA ?? "../shared/data", "documents");
if (!existsSync(join(data, "manifest.json"))) {
  console.error(
    `There is no document set in ${data}. Set PARLANCE_DATA to the folder that has documents/manifest.json.`,
  );
  process.exit(1);
}
interface Entry {
  file: string;
  truth: string;
  type: string;
  lang?: string;
  layout?: string;
}
const manifest = JSON.parse(readFileSync(join(data, "manifest.json"), "utf8")) as Entry[];
const modelsDir = join(process.env.SVC_MODELS_DIR ?? join(homedir(), ".cache", "parlance", "models"), "pp-ocr-v4");
const cacheDir = option("cache");
const only = option("only");

interface Group {
  outcomes: Outcome[];
  near: number;
  lines: { hits: number; found: number; wanted: number };
  typed: number;
  documents: number;
}
const groups = new Map<string, Group>();
const speed = { textPages: 0, textSeconds: 0, scannedPages: 0, scannedSeconds: 0, understandSeconds: 0, pages: 0 };
const misses = process.argv.includes("--misses");

const ocr = await createPpOcr(modelsDir);
const tagger = process.argv.includes("--rules-only") ? undefined : await createPageTagger(resolve("models/tagger"));
const own: Recogniser = { name: "pp-ocr", read: (picture) => ocr.read(picture) };

for (const entry of manifest) {
  if (entry.type.startsWith("schema") || (only && !entry.type.includes(only))) continue;
  const reading = await readForBench(join(data, entry.file), own, cacheDir);
  const pages = reading.document.pages.length;
  if (reading.scannedPages > 0) {
    speed.scannedPages += reading.scannedPages;
    speed.scannedSeconds += reading.cpuSeconds;
  } else {
    speed.textPages += pages;
    speed.textSeconds += reading.cpuSeconds;
  }
  const started = process.cpuUsage();
  const extraction = extractFields(tagger ? await tagDocument(reading.document, tagger) : reading.document);
  const used = process.cpuUsage(started);
  speed.understandSeconds += (used.user + used.system) / 1e6;
  speed.pages += pages;
  score(groupOf(entry), entry, reading.document, extraction, groups);
}

function groupOf(entry: Entry): string {
  if (entry.file.includes("i2d_")) return "";
  if (entry.type === "invoice") return entry.lang === "en" ? "invoices, English layouts" : "invoices, text layer";
  return (
    {
      "e-invoice": "e-invoices",
      "invoice-scan": "invoices, scanned",
      "invoice-image": "invoices, photographed",
      receipt: "receipts",
      form: "forms",
      table: "tables",
      bank_statement: "bank statements",
    }[entry.type] ?? ""
  );
}

function score(name: string, entry: Entry, document: ReadDocument, found: Extraction, into: Map<string, Group>): void {
  if (!name) return;
  const truth = JSON.parse(readFileSync(join(data, entry.truth), "utf8"));
  const wanted = entry.type.includes("invoice") ? "invoice" : entry.type;
  // A wrong type is counted as such; the fields are scored as the type asks for.
  const isTyped =
    found.document_type === wanted ||
    (["form", "table"].includes(wanted) && ["form", "document"].includes(found.document_type));
  const extraction = isTyped ? found : extractFields(document, wanted === "table" ? "document" : (wanted as "invoice"));
  const group = into.get(name) ?? {
    outcomes: [],
    near: 0,
    lines: { hits: 0, found: 0, wanted: 0 },
    typed: 0,
    documents: 0,
  };
  into.set(name, group);
  group.documents++;
  group.typed += isTyped ? 1 : 0;
  const add = (outcomes: readonly Outcome[], lines?: { hits: number; found: number; wanted: number }): void => {
    group.outcomes.push(...outcomes);
    for (const outcome of outcomes)
      if (misses && !outcome.isRight)
        console.log(
          `${entry.file} ${outcome.field}: want ${JSON.stringify(outcome.want)} got ${JSON.stringify(outcome.got)} at ${outcome.confidence}`,
        );
    if (!lines) return;
    group.lines.hits += lines.hits;
    group.lines.found += lines.found;
    group.lines.wanted += lines.wanted;
  };
  if (entry.type === "e-invoice") add(scoreEInvoice(truth, extraction));
  else if (entry.type.startsWith("invoice")) add(scoreInvoice(truth, extraction), scoreLines(truth, extraction));
  else if (entry.type === "receipt") {
    const outcomes = scoreReceipt(truth, extraction);
    group.near += outcomes.filter((outcome) => outcome.isNear).length;
    add(outcomes);
  } else if (entry.type === "form") add([], scorePairs(truth.pairs, (extraction.data.pairs ?? []) as never));
  else if (entry.type === "table" && isScorable(truth.tables))
    add([], scoreTables(truth.tables, (extraction.data.tables ?? []) as never));
  else if (entry.type === "bank_statement") {
    const { outcomes, lines } = scoreStatement(truth, extraction);
    add(outcomes, lines);
  }
}

function report(title: string, from: Map<string, Group>): void {
  console.log(`\n## ${title}\n`);
  console.log("| set | documents | type right | fields right | lines, pairs or relations F1 |\n|---|---|---|---|---|");
  for (const [name, group] of from) {
    const right = group.outcomes.filter((outcome) => outcome.isRight).length;
    const near = group.near > 0 ? ` (≥ 0.9 alike ${percent(group.near, group.outcomes.length)})` : "";
    const { hits, found, wanted } = group.lines;
    console.log(
      `| ${name} | ${group.documents} | ${percent(group.typed, group.documents)} | ${percent(right, group.outcomes.length)}${near} | ${wanted > 0 ? (100 * f1(hits, found, wanted)).toFixed(1) : "-"} |`,
    );
  }
}

report("Accuracy on the development set", groups);
const fields = new Map<string, [right: number, all: number]>();
for (const [name, group] of groups) {
  for (const outcome of group.outcomes) {
    const key = `${name}: ${outcome.field}`;
    const [right, all] = fields.get(key) ?? [0, 0];
    fields.set(key, [right + (outcome.isRight ? 1 : 0), all + 1]);
  }
}
console.log("\n| field | right |\n|---|---|");
for (const [name, [right, all]] of fields) console.log(`| ${name} | ${percent(right, all)} of ${all} |`);

const everything = [...groups.values()].flatMap((group) => group.outcomes);
const { error, sure, bins } = measureCalibration(everything);
console.log(
  `\n## Confidence\n\nExpected calibration error ${error.toFixed(3)}; fields at 0.9 or more: ${percent(sure.right, sure.all)} right (${sure.all} of ${everything.length}).\n`,
);
for (const bin of bins.filter((one) => one.all > 0))
  console.log(
    `| ${bin.from.toFixed(1)} | ${bin.all} fields | said ${bin.mean.toFixed(2)} | were ${bin.right.toFixed(2)} |`,
  );

console.log("\n## Cost\n");
console.log(
  `Text pages: ${((1000 * speed.textSeconds) / Math.max(1, speed.textPages)).toFixed(1)} CPU ms to read, ${((1000 * speed.understandSeconds) / Math.max(1, speed.pages)).toFixed(1)} CPU ms a page to understand.`,
);
console.log(
  `Scanned pages: ${(speed.scannedSeconds / Math.max(1, speed.scannedPages)).toFixed(2)} CPU s a page over ${speed.scannedPages} pages${cacheDir ? " (as measured when they were first read)" : ""}.`,
);
console.log(`Memory of this process: ${Math.round(process.memoryUsage.rss() / 1e6)} MB.`);

const tesseract = process.argv.includes("--no-peer") ? undefined : findTesseract();
if (!tesseract) console.log("\nTesseract is not installed (or --no-peer was given), so there is no comparison.");
else {
  const peer = new Map<string, Group>();
  const mine = new Map<string, Group>();
  const receipts = manifest
    .filter((entry) => entry.type === "receipt" && (!only || entry.type.includes(only)))
    .slice(0, 24);
  for (const entry of receipts) {
    const theirs = await readForBench(join(data, entry.file), tesseract, cacheDir);
    score("receipts, tesseract psm 6", entry, theirs.document, extractFields(theirs.document), peer);
    const ours = await readForBench(join(data, entry.file), own, cacheDir);
    score("the same receipts, PP-OCR", entry, ours.document, extractFields(ours.document), mine);
  }
  report("Against plain tesseract, same rules, same receipts", new Map([...peer, ...mine]));
  const share = (group: Map<string, Group>): number => {
    const all = [...group.values()].flatMap((one) => one.outcomes);
    return all.filter((outcome) => outcome.isRight).length / Math.max(1, all.length);
  };
  if (receipts.length > 0)
    console.log(`\nRatio of right fields, ours to tesseract: ${(share(mine) / share(peer)).toFixed(2)}`);
}
await ocr.close();
