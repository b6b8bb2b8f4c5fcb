import { writeFileSync } from "node:fs";
import { extractFields } from "../../src/extraction/fields/extract-fields.ts";
import { useWeights } from "../../src/extraction/fields/pick.ts";
import { chooseAll, fitAll, fitConfidence, type Table } from "./fitting/fit-weights.ts";
import { foldOf, folds, foldsOf } from "./fitting/folds.ts";
import { choicesOf, type Known, typeSample } from "./fitting/samples.ts";
import { writeTable } from "./fitting/write-table.ts";
import { option, readKnownDocuments } from "./known-documents.ts";
import { printFamilies } from "./print-families.ts";
import { type Score, scoreAll } from "./unseen/score-entry.ts";

/**
 * Fits the table of reasons and says what it is worth on layout families that it has not seen: each family is scored with weights
 * fitted on the others. Writes src/extraction/fields/reasons.tsv.
 * Run: npm run bench -- extraction/fit --unseen FOLDER [--cache FOLDER] [--dry] [--misses]
 */
const pull = Number(option("pull") ?? 2);
const confidencePull = 0.3;
const known = await readKnownDocuments();

foldsOf(known.map(({ family }) => family));

// Features depend a little on what was chosen before, so they are collected again with better weights.
let choices = known.flatMap(choicesOf);
const types = known.flatMap((one) => typeSample(one) ?? []);
useWeights(fitAll(choices, types, pull));
choices = known.flatMap(choicesOf);

const tables: Table[] = [];
const heldOut = [];
for (let fold = 0; fold < folds; fold++) {
  const isOther = ({ family }: { family: string }): boolean => foldOf(family) !== fold;
  const table = fitAll(choices.filter(isOther), types.filter(isOther), pull);
  tables.push(table);
  heldOut.push(
    ...chooseAll(
      choices.filter((choice) => !isOther(choice)),
      table,
    ),
  );
}
const scores = new Map<string, Score[]>();
for (let fold = 0; fold < folds; fold++) {
  const sure = fitConfidence(
    heldOut.filter(({ family }) => foldOf(family) !== fold),
    confidencePull,
  );
  useWeights(new Map([...tables[fold]!, ...sure]));
  for (const one of known.filter(({ family }) => foldOf(family) === fold)) scoreInto(scores, one);
}
if (process.argv.includes("--misses"))
  for (const [family, list] of scores)
    for (const { field, want, got, confidence = 0 } of list.flatMap(({ outcomes }) =>
      outcomes.filter((one) => !one.isRight),
    ))
      console.log(`${family} ${field}: want ${JSON.stringify(want)} got ${JSON.stringify(got)} at ${confidence}`);
const named = (isUnseen: boolean): Map<string, Score[]> =>
  new Map([...scores].filter(([name]) => name.startsWith("dev: ") !== isUnseen));
console.log("\n## Development set, each family with weights fitted on the others");
printFamilies(named(false));
console.log("\n## Documents made by tools of others, held out by family");
printFamilies(named(true));

if (!process.argv.includes("--dry")) {
  const final = new Map([...fitAll(choices, types, pull), ...fitConfidence(heldOut, confidencePull)]);
  const counts = new Map<string, Set<string>>();
  for (const { field, family, candidates } of choices)
    for (const { reasons } of candidates)
      for (const reason of ["bias", ...Object.keys(reasons)])
        counts.set(`${field} ${reason}`, (counts.get(`${field} ${reason}`) ?? new Set()).add(family));
  const source = (field: string, reason: string): string => {
    if (field.startsWith("confidence")) return "fitted on choices of families held out";
    if (field.startsWith("type")) return `fitted on ${types.length} documents`;
    const seen = counts.get(`${field} ${reason}`)?.size ?? 0;
    return seen >= 3 ? `fitted, seen in ${seen} families` : "guess";
  };
  writeFileSync("src/extraction/fields/reasons.tsv", writeTable(final, source));
}

function scoreInto(into: Map<string, Score[]>, one: Known): void {
  if (one.isUnseen) {
    const entry = { ...one, language: "", file: "" };
    const name = one.id.replace(/-[a-z]{2}-\d+$/, "");
    into.set(name, [...(into.get(name) ?? []), ...scoreAll(entry, extractFields(one.document))]);
    return;
  }
  if (!["invoice", "receipt", "bank_statement"].includes(one.type)) return;
  const name = `dev: ${one.type}${one.document.pages.some((page) => page.lines.some((line) => line.source === "ocr")) ? ", scanned" : ""}`;
  const found = extractFields(one.document);
  const isTyped = found.document_type === one.type;
  const extraction = isTyped ? found : extractFields(one.document, one.type as "invoice");
  into.set(name, [
    ...(into.get(name) ?? []),
    ...scoreAll({ ...one, language: "", file: "" }, extraction).map((score) => ({
      ...score,
      outcomes: score.outcomes.filter(({ want }) => want !== null),
      isTyped,
    })),
  ]);
}
