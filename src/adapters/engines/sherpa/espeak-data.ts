import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

/** The phonemizer's package keeps its data as one file, with a list of its parts in the script beside it. */
const entry = /\{filename:"\/usr\/share\/espeak-ng-data\/([^"]+)",start:(\d+),end:(\d+)\}/g;

/** A folder with the data of espeak-ng, laid out once from the package that the product's own voices use. */
export function layOutEspeakData(modelsDir: string): string {
  const resolve = createRequire(import.meta.url).resolve;
  const script = resolve("@echogarden/espeak-ng-emscripten");
  const { version } = JSON.parse(readFileSync(join(dirname(script), "package.json"), "utf8")) as { version: string };
  const folder = join(modelsDir, `.espeak-ng-data-${version}`);
  if (existsSync(join(folder, "phontab"))) return folder;
  const data = readFileSync(join(dirname(script), "espeak-ng.data"));
  mkdirSync(modelsDir, { recursive: true });
  const scratch = mkdtempSync(join(modelsDir, ".espeak-"));
  try {
    for (const [, path, start, end] of readFileSync(script, "utf8").matchAll(entry)) {
      const target = join(scratch, path!);
      mkdirSync(dirname(target), { recursive: true });
      writeFileSync(target, data.subarray(Number(start), Number(end)));
    }
    renameSync(scratch, folder);
  } catch (error) {
    // Somebody else was first.
    if (!existsSync(join(folder, "phontab"))) throw error;
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
  return folder;
}
