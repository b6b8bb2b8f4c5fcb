#!/usr/bin/env node
import { existsSync, readFileSync } from "node:fs";

const built = new URL("../dist/main/cli.js", import.meta.url);
if (!existsSync(built)) {
  const wantsHelp = process.argv.slice(2).some((word) => word === "--help" || word === "-h" || word === "help");
  if (wantsHelp) {
    process.stdout.write(readFileSync(new URL("./help.txt", import.meta.url), "utf8"));
    process.exit(0);
  }
  console.error("Parlance is not built yet. Run ./start, or: npm ci && npm run build");
  process.exit(1);
}
await import(built.href);
