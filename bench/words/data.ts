import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";

/** The folder of test data: PARLANCE_DATA, else beside the repository. */
export function dataFolder(name: string): string {
  const folder = resolve(process.env.PARLANCE_DATA ?? join(import.meta.dirname, "../../../shared/data"), name);
  if (existsSync(folder)) return folder;
  console.error(`The data folder ${folder} is not here. Set PARLANCE_DATA to the folder that holds "${name}".`);
  process.exit(1);
}

/** The same sentences in every language, line by line. Undefined for a language that is not in the set. */
export function readFlores(language: string): string[] | undefined {
  const path = join(dataFolder("mt"), `flores-${language}.txt`);
  return existsSync(path) ? readFileSync(path, "utf8").trim().split("\n") : undefined;
}

export function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}
