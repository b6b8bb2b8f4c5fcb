import { resolve } from "node:path";
import type { Command } from "commander";
import { readSettings } from "../../platform/settings/settings.ts";
import { makeDataFolder } from "../data-folder.ts";
import { printRows } from "./print.ts";
import { runAnywhere } from "./run-anywhere.ts";

export function addBackupCommands(program: Command): void {
  program
    .command("backup <file>")
    .description(
      "Write everything that is stored into one file, while the server serves. Documents and cloned voices in it are sealed.",
    )
    .option(
      "--keys <file>",
      "also write the keys that open them, over the file of before; keep it apart, and only the newest",
    )
    .action((file: string, { keys }: KeysOption) => run("backup", file, keys));
  program
    .command("restore <file>")
    .description("Bring a backup into an empty data folder and database, of either kind.")
    .option("--keys <file>", "the newest backup of the keys: what was deleted before it was made stays deleted")
    .action((file: string, { keys }: KeysOption) => run("restore", file, keys));
}

interface KeysOption {
  keys?: string;
}

async function run(command: string, file: string, keys?: string): Promise<void> {
  const settings = readSettings(process.env);
  const { dataDir } = settings.storage;
  if (command === "restore") makeDataFolder(dataDir);
  printRows(
    await runAnywhere(settings, command, {
      file: resolve(file),
      ...(keys ? { keys: resolve(keys) } : {}),
      dataDir: resolve(dataDir),
    }),
  );
}
