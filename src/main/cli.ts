import { existsSync } from "node:fs";
import { ThreadClient } from "../adapters/database/embedded/thread-client.ts";
import { lockObjectPrototype } from "../platform/lock-object-prototype.ts";
import { compileNextTick } from "./compile-next-tick.ts";

lockObjectPrototype();

// Quoted values, comments and so on are Node's business; a variable that is already set wins.
if (existsSync(".env")) process.loadEnvFile(".env");
// Nothing takes longer at a start than the embedded database, so it begins before the program itself is read.
if (process.argv[2] === "serve" && !process.env.SVC_DATABASE_URL?.startsWith("postgres")) ThreadClient.prepare();
if (process.argv[2] === "serve") compileNextTick();
await import("./program.ts");
