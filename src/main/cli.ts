import { existsSync } from "node:fs";
import { join } from "node:path";
import { ThreadClient } from "../adapters/database/embedded/thread-client.ts";
import { lockObjectPrototype } from "../platform/lock-object-prototype.ts";
import { packageRoot } from "../platform/package-root.ts";
import { compileNextTick } from "./compile-next-tick.ts";

lockObjectPrototype();

// Quoted values, comments and so on are Node's business; a variable that is already set wins. The file of this installation,
// from whichever directory a command is called: server and commands must mean the same data folder.
const envFile = join(packageRoot(), ".env");
if (existsSync(envFile)) {
  try {
    process.loadEnvFile(envFile);
  } catch {
    console.error(`This user may not read ${envFile}. Run the command as the server's user.`);
    process.exit(1);
  }
}
// Nothing takes longer at a start than the embedded database, so it begins before the program itself is read.
if (process.argv[2] === "serve" && !process.env.SVC_DATABASE_URL?.startsWith("postgres")) ThreadClient.prepare();
if (process.argv[2] === "serve") {
  compileNextTick();
  // Every small buffer is a piece of a larger one; of Node's 8 kB every second request of the gateway had to make one.
  Buffer.poolSize = 65_536;
}
await import("./program.ts");
