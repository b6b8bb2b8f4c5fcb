#!/usr/bin/env node
import { existsSync } from "node:fs";

const built = new URL("../dist/main/cli.js", import.meta.url);
if (!existsSync(built)) {
  console.error("Parlance is not built yet. Run ./start, or: npm ci && npm run build");
  process.exit(1);
}
await import(built.href);
