// The lock file must install on x64 and arm64 alike, and must not name the registry it was made with.
import { readFileSync } from "node:fs";

const { packages } = JSON.parse(readFileSync(new URL("../package-lock.json", import.meta.url), "utf8"));
const problems = [];
for (const [path, entry] of Object.entries(packages)) {
  if (/^https?:/.test(entry.resolved ?? "")) problems.push(`${path} names a registry: ${entry.resolved}`);
  for (const name of Object.keys(entry.optionalDependencies ?? {})) {
    if (!/linux/.test(name) || !/x64|arm64/.test(name) || /musl/.test(name)) continue;
    const isListed = Object.keys(packages).some((other) => other.endsWith(`node_modules/${name}`));
    if (!isListed) problems.push(`${path} wants ${name}, which the lock file does not list`);
  }
}
for (const problem of problems) console.error(problem);
process.exit(problems.length > 0 ? 1 : 0);
