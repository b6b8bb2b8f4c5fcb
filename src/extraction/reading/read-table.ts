import { readFileSync } from "node:fs";
import { join } from "node:path";
import { packageRoot } from "../../platform/package-root.ts";

/** The rows of a table beside the code, cut at tabs; lines that begin with # are comments. `path` is one below `src/extraction`. */
export function readTable(path: string): string[][] {
  return readFileSync(join(packageRoot(), "src", "extraction", path), "utf8")
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("#"))
    .map((line) => line.split("\t"));
}
