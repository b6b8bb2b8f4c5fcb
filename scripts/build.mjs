// Compiles the server into dist/ and prepares what would make the first start slow.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const stamp = join(root, "dist", ".built-from");
const fingerprint = hashSources();

if (!existsSync(stamp) || readFileSync(stamp, "utf8") !== fingerprint) {
  rmSync(join(root, "dist"), { recursive: true, force: true });
  const tsc = join(root, "node_modules", ".bin", "tsc");
  const { status } = spawnSync(tsc, ["-p", join(root, "tsconfig.build.json")], { stdio: "inherit", cwd: root });
  if (status !== 0) process.exit(status ?? 1);
  const { makeTemplate } = await import("../dist/adapters/database/embedded/open-embedded.js");
  await makeTemplate();
  writeFileSync(stamp, fingerprint);
}

/** Names, sizes and times are enough to tell that something changed, and cost a few milliseconds. */
function hashSources() {
  const hash = createHash("sha256");
  const walk = (folder) => {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) walk(path);
      else {
        const { size, mtimeMs } = statSync(path);
        hash.update(`${path.slice(root.length)} ${size} ${mtimeMs}\n`);
      }
    }
  };
  walk(join(root, "src"));
  hash.update(readFileSync(join(root, "package.json"))).update(readFileSync(join(root, "tsconfig.build.json")));
  return hash.digest("hex");
}
