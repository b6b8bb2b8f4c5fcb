import { accessSync, chmodSync, constants, existsSync, mkdirSync, statSync } from "node:fs";
import { dirname } from "node:path";

/** A message for the person at the terminal: one line that says what is wrong and what to do. */
export class StartError extends Error {}

/** Another process has the data folder at this moment. */
export class FolderInUse extends StartError {}

export function prepareDataFolder(dataDir: string): void {
  try {
    makeFolder(dataDir);
    accessSync(dataDir, constants.W_OK | constants.X_OK);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    const reason = code === "ENOTDIR" || code === "EEXIST" ? "it is not a folder" : "it is not writable";
    throw new StartError(`The data folder ${dataDir} cannot be used: ${reason}. Set SVC_DATA_DIR to one that can.`);
  }
  closeToOthers(dataDir);
}

/** A command that is given the wrong folder must say so instead of making an empty one. */
export function requireDataFolder(dataDir: string): void {
  if (existsSync(dataDir)) return;
  throw new StartError(
    `There is no data folder ${dataDir}. ./start makes it, or ./parlance migrate. If your data is elsewhere, set SVC_DATA_DIR.`,
  );
}

/** Makes the folder if it is missing, and says so. */
export function makeDataFolder(dataDir: string): void {
  const isNew = !existsSync(dataDir);
  prepareDataFolder(dataDir);
  if (isNew) console.error(`Made the data folder ${dataDir}.`);
}

/** Documents, keys' hashes and journals live here; others on the machine have no business in it. */
export function closeToOthers(folder: string): void {
  if ((statSync(folder).mode & 0o077) === 0) return;
  try {
    chmodSync(folder, 0o700);
  } catch {
    throw new StartError(
      `Others can read the folder ${folder}, and this user may not change that. Run: chmod 700 ${folder}`,
    );
  }
}

/** Level by level: Node's own recursive mkdir never returns where a file system refuses new folders with ENOENT. */
function makeFolder(path: string): void {
  if (existsSync(path)) return;
  makeFolder(dirname(path));
  mkdirSync(path, { mode: 0o700 });
}
