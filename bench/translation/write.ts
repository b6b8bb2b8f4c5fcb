// Turns what was measured into the table that the server reads and into the page that people read.
//   npm run bench -- translation/write
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { directionsFile, isOffered } from "../../src/adapters/engines/translation-router/directions.ts";
import { findWays } from "./find-ways.ts";
import { readResults } from "./results.ts";
import { writePage } from "./write-page.ts";

const results = readResults();
const rows = findWays(results);
const measuredOn =
  "chrF2: `dev` on up to 200 development lines, `flores` on up to 200 public FLORES lines; `chrf` decides what is offered";
const lines = rows.map(
  (row) => `    ${JSON.stringify(row).replaceAll('":', '": ').replaceAll(',"', ', "').replaceAll(",{", ", {")}`,
);
writeFileSync(directionsFile, `{\n  "measuredOn": "${measuredOn}",\n  "directions": [\n${lines.join(",\n")}\n  ]\n}\n`);
writeFileSync(join(import.meta.dirname, "../../docs/figures/translation-directions.md"), writePage(rows, results));
const offered = rows.filter(({ ways }) => ways.some(isOffered));
console.log(`${rows.length} directions, ${offered.length} of them offered`);
