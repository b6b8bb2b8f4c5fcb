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
// Some load the runtime of models into their own process; see src/adapters/engines/host/no-telemetry.ts.
const env = { ...process.env, ORT_DISABLE_TELEMETRY: "1" };
const { status } = spawnSync(process.execPath, ["--import", "tsx", file, ...args], { stdio: "inherit", env });
process.exit(status ?? 1);
