// Runs one benchmark: npm run bench -- foundation/chain
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";

const [name, ...args] = process.argv.slice(2);
const file = join("bench", `${name}.ts`);
if (!name || !existsSync(file)) {
  console.error(`Say which benchmark, such as: npm run bench -- foundation/chain (there is no ${file})`);
  process.exit(1);
}
const { status } = spawnSync(process.execPath, ["--import", "tsx", file, ...args], { stdio: "inherit" });
process.exit(status ?? 1);
