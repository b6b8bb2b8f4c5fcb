// Builds the dashboard's pages into dist/web/dashboard, only when their sources changed since the last time.
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { hashFolders } from "./hash-folders.mjs";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const output = join(root, "dist", "web", "dashboard");
const stamp = join(root, "dist", "web", ".built-from");

/** The pages, and what of the server they are made with. */
const sources = [
  "web/dashboard",
  "src/dashboard/contract",
  "src/accounts/plans.ts",
  "src/accounts/scopes.ts",
  "src/audio/pcm.ts",
  "src/audio/wav.ts",
  "src/extraction/templates/field-types.ts",
  "docs/examples/invoice.pdf",
];

export async function buildWeb() {
  const fingerprint = createHash("sha256")
    .update(hashFolders(root, sources))
    .update(readFileSync(join(root, "package-lock.json")))
    .digest("hex");
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === fingerprint) return;
  const { build } = await import("vite");
  await build({ configFile: join(root, "web", "dashboard", "vite.config.ts"), logLevel: "warn" });
  compress(output);
  writeFileSync(stamp, fingerprint);
}

/** Compressed once here, as hard as it goes, instead of for every visitor. */
function compress(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) compress(path);
    else if (/\.(m?js|css|html|svg)$/.test(entry.name) && statSync(path).size > 500) {
      const bytes = readFileSync(path);
      writeFileSync(`${path}.gz`, gzipSync(bytes, { level: 9 }));
      const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
      writeFileSync(`${path}.br`, brotliCompressSync(bytes, { params }));
    }
  }
}
