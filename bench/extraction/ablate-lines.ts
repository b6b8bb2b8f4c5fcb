import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { extractFields } from "../../src/extraction/fields/extract-fields.ts";
import type { Known } from "./fitting/samples.ts";
import { option, readKnownDocuments } from "./known-documents.ts";
import { type Score, scoreAll } from "./unseen/score-entry.ts";

/**
 * Takes each line out of a file of the rules in turn, reads all documents of a type with what is left, and names the lines that help
 * fewer than three families. Lines without which the file does not run are passed over.
 * Run: npm run bench -- extraction/ablate-lines FILE --types receipt[,form] --unseen FOLDER --cache FOLDER
 */
const source = resolve("src", "extraction");
const file = relative(source, resolve(process.argv[2] ?? ""));
const types = (option("types") ?? "").split(",");
const enough = 3;

const known = (await readKnownDocuments()).filter(({ type }) => types.includes(type));
// Forms and tables of the development set come from as many hands as there are files.
const familyOf = ({ family, id, type }: Known): string => (["form", "document"].includes(type) ? id : family);

const folder = mkdtempSync(join(tmpdir(), "ablate-"));
const original = readFileSync(join(source, file), "utf8");
const lines = original.split("\n");
const whole = await scoreWithout(-1);
if (!whole) throw new Error(`${file} does not run as it is.`);
for (const [index, line] of lines.entries()) {
  if (/^\s*(?:[)}\]]*[;,]?$|\/\/|\/\*|\*|import |export |readonly |\w+\??: \w+[[\];,]*$|$)/.test(line)) continue;
  const rest = await scoreWithout(index);
  if (!rest) continue;
  const changes = [...whole].map(([family, before]) => before - (rest.get(family) ?? 0));
  const helps = changes.filter((change) => change > 0).length;
  const hurts = changes.filter((change) => change < 0).length;
  const gained = changes.reduce((sum, change) => sum + change, 0);
  if (helps - hurts < enough)
    console.log(`${file}:${index + 1}\thelps ${helps}\thurts ${hurts}\t${gained} values\t${line.trim()}`);
}
rmSync(folder, { recursive: true });

/** What is right of each family, less what was found and is not there, when a line is missing. */
async function scoreWithout(index: number): Promise<Map<string, number> | undefined> {
  const own = join(folder, String(index), "extraction");
  mkdirSync(own, { recursive: true });
  for (const shared of ["platform", "ports"]) symlinkSync(resolve("src", shared), join(own, "..", shared));
  for (const shared of ["reading", "words"]) symlinkSync(join(source, shared), join(own, shared));
  cpSync(join(source, "fields"), join(own, "fields"), { recursive: true });
  writeFileSync(join(own, file), lines.filter((_, at) => at !== index).join("\n"));
  try {
    const module = (await import(pathToFileURL(join(own, "fields", "extract-fields.ts")).href)) as {
      extractFields: typeof extractFields;
    };
    const right = new Map<string, number>();
    for (const one of known) {
      const found = module.extractFields(one.document, one.type === "bundle" ? undefined : (one.type as "form"));
      const scores = scoreAll({ ...one, language: "", file: "" }, found);
      right.set(familyOf(one), (right.get(familyOf(one)) ?? 0) + scores.reduce((sum, score) => sum + worth(score), 0));
    }
    return right;
  } catch {
    return undefined;
  }
}

function worth({ outcomes, lines: { hits, found } }: Score): number {
  return outcomes.filter(({ isRight }) => isRight).length + hits - (found - hits);
}
