import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** Files under a folder that hold any of these texts or bytes. */
export function filesHolding(folder: string, secrets: readonly (string | Buffer)[]): string[] {
  return filesUnder(folder).filter((path) => {
    const bytes = readFileSync(path);
    return secrets.some((secret) => bytes.includes(secret));
  });
}

export function filesUnder(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    return entry.isDirectory() ? filesUnder(path) : entry.isFile() ? [path] : [];
  });
}
