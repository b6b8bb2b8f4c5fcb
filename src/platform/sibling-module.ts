import { extname } from "node:path";
import { fileURLToPath } from "node:url";

/** The path of a module beside the caller, which is `.ts` in the source tree and `.js` in the build. */
export function siblingModule(importMetaUrl: string, nameWithoutExtension: string): string {
  const own = fileURLToPath(importMetaUrl);
  return fileURLToPath(new URL(`${nameWithoutExtension}${extname(own)}`, importMetaUrl));
}

/** What Node needs to run such a module: TypeScript sources go through tsx, which only the source tree has. */
export function execArgvFor(modulePath: string): string[] {
  return modulePath.endsWith(".ts") ? ["--import", "tsx"] : [];
}
