import { createHash } from "node:crypto";
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";

/** Of files and whole folders. Names, sizes and times are enough to tell that something changed, and cost a few milliseconds. */
export function hashFolders(root, paths) {
  const hash = createHash("sha256");
  const add = (path) => {
    const { size, mtimeMs } = statSync(path);
    hash.update(`${path.slice(root.length)} ${size} ${mtimeMs}\n`);
  };
  const walk = (folder) => {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      if (entry.isDirectory()) walk(join(folder, entry.name));
      else add(join(folder, entry.name));
    }
  };
  for (const path of paths.map((name) => join(root, name))) {
    if (statSync(path).isDirectory()) walk(path);
    else add(path);
  }
  return hash.digest("hex");
}
