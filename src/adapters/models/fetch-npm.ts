import { spawn } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { extract } from "tar";
import { Problem } from "../../platform/errors.ts";

/** Brings a package's tarball with the machine's own npm and unpacks only the files asked for. None of the package's
 *  code or scripts runs. Returns the folder with the files at their paths inside the package. */
export async function fetchNpm(
  spec: string,
  wanted: ReadonlySet<string>,
  scratchDir: string,
  signal?: AbortSignal,
): Promise<string> {
  const folder = mkdtempSync(join(scratchDir, "npm-"));
  try {
    await runNpmPack(spec, folder, signal);
    const tarball = readdirSync(folder).find((name) => name.endsWith(".tgz"));
    if (!tarball) throw new Error(`npm pack ${spec} left no tarball`);
    await extract({
      file: join(folder, tarball),
      cwd: folder,
      strip: 1,
      filter: (path) => wanted.has(path.replace(/^[^/]+\//, "")),
    });
    rmSync(join(folder, tarball));
    return folder;
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
}

/** npm itself would wait minutes for a registry that is not there; whoever asks for models tries again. */
const npmFlags = [
  "--ignore-scripts",
  "--silent",
  "--fetch-retries=1",
  "--fetch-retry-mintimeout=1000",
  "--fetch-timeout=60000",
];

function runNpmPack(spec: string, folder: string, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn("npm", ["pack", spec, ...npmFlags, "--pack-destination", folder], {
      stdio: ["ignore", "ignore", "pipe"],
      ...(signal ? { signal } : {}),
    });
    let complaint = "";
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      complaint = (complaint + text).slice(-2000);
    });
    child.once("error", reject);
    child.once("exit", (code) => {
      if (code === 0) resolve();
      else
        reject(
          new Problem("upstream_failed", `npm could not fetch ${spec}. Is the npm registry reachable?`, {
            cause: new Error(complaint),
          }),
        );
    });
  });
}
