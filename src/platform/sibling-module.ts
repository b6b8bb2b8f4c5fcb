import { existsSync } from "node:fs";
import { extname, join, sep } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { Worker } from "node:worker_threads";
import { packageRoot } from "./package-root.ts";

/** The path of a module beside the caller, which is `.ts` in the source tree and `.js` in the build. */
export function siblingModule(importMetaUrl: string, nameWithoutExtension: string): string {
  const own = fileURLToPath(importMetaUrl);
  const sibling = fileURLToPath(new URL(`${nameWithoutExtension}${extname(own)}`, importMetaUrl));
  return process.env.PARLANCE_BUILT_CHILDREN ? builtTwin(sibling) : sibling;
}

/** The suite builds before it tests, and starts hundreds of children: built ones are ready in a fraction of the time. */
function builtTwin(source: string): string {
  const from = join(packageRoot(), "src") + sep;
  if (!source.startsWith(from) || !source.endsWith(".ts")) return source;
  const built = join(packageRoot(), "dist", source.slice(from.length).replace(/\.ts$/, ".js"));
  return existsSync(built) ? built : source;
}

/** What Node needs to run such a module: TypeScript sources go through tsx, which only the source tree has. */
export function execArgvFor(modulePath: string): string[] {
  return modulePath.endsWith(".ts") ? ["--import", "tsx"] : [];
}

/** A worker thread for such a module. Threads do not honour tsx in their arguments, so a source module is imported
 *  through tsx's own loader. */
export function startThread(modulePath: string, workerData?: unknown): Worker {
  if (!modulePath.endsWith(".ts")) return new Worker(modulePath, { workerData });
  const loader = JSON.stringify(import.meta.resolve("tsx/esm/api"));
  const module = JSON.stringify(pathToFileURL(modulePath).href);
  const code = `import(${loader}).then(({ register }) => { register(); return import(${module}); });`;
  return new Worker(code, { eval: true, workerData });
}
