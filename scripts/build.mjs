// Compiles the server into dist/ and prepares what would make the first start slow.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";
import { buildReference } from "./build-reference.mjs";
import { buildWeb } from "./build-web.mjs";
import { hashFolders } from "./hash-folders.mjs";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const dist = join(root, "dist");
const stamp = join(dist, ".built-from");
const fingerprint = createHash("sha256")
  .update(hashFolders(root, ["src"]))
  .update(readFileSync(join(root, "package.json")))
  .update(readFileSync(join(root, "tsconfig.build.json")))
  .digest("hex");

if (!existsSync(stamp) || readFileSync(stamp, "utf8") !== fingerprint) {
  // What is for browsers in dist/web has stamps of its own.
  const old = existsSync(dist) ? readdirSync(dist).filter((name) => name !== "web") : [];
  for (const name of old) rmSync(join(dist, name), { recursive: true, force: true });
  const tsc = join(root, "node_modules", ".bin", "tsc");
  const { status } = spawnSync(tsc, ["-p", join(root, "tsconfig.build.json")], { stdio: "inherit", cwd: root });
  if (status !== 0) process.exit(status ?? 1);
  // What a process loads before its first module (src/adapters/engines/host/cage/enter-cage.ts).
  const cage = join("adapters", "engines", "host", "cage");
  const bundle = await rolldown({
    input: join(root, "src", cage, "enter-cage.ts"),
    external: ["koffi"],
    platform: "node",
  });
  await bundle.write({ file: join(dist, cage, "enter-cage.cjs"), format: "cjs" });
  await bundle.close();
  const { makeTemplate } = await import("../dist/adapters/database/embedded/open-embedded.js");
  await makeTemplate();
  writeFileSync(stamp, fingerprint);
}
await buildWeb();
await buildReference();
