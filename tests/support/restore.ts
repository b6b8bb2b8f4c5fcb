import { runAnywhere } from "../../src/main/commands/run-anywhere.ts";
import { makeDataFolder } from "../../src/main/data-folder.ts";
import { readSettings } from "../../src/platform/settings/settings.ts";

/** `parlance restore` into a new data folder. */
export function restore(dataDir: string, files: { file: string; keys?: string }): Promise<unknown> {
  makeDataFolder(dataDir);
  const settings = readSettings({ SVC_DATA_DIR: dataDir });
  return runAnywhere(settings, "restore", { ...files, dataDir });
}
