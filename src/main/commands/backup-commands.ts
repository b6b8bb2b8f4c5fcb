import { resolve } from "node:path";
import type { Command } from "commander";
import { readSettings } from "../../platform/settings/settings.ts";
import { makeDataFolder } from "../data-folder.ts";
import { printRows } from "./print.ts";
import { runAnywhere } from "./run-anywhere.ts";

export function addBackupCommands(program: Command): void {
  program
    .command("backup <file>")
    .description("Write everything that is stored into one file, while the server serves.")
    .action((file: string) => run("backup", file));
  program
    .command("restore <file>")
    .description("Bring a backup into an empty data folder and database, of either kind.")
    .action((file: string) => run("restore", file));
}

async function run(command: string, file: string): Promise<void> {
  const settings = readSettings(process.env);
  const { dataDir } = settings.storage;
  if (command === "restore") makeDataFolder(dataDir);
  printRows(await runAnywhere(settings, command, { file: resolve(file), dataDir: resolve(dataDir) }));
}
