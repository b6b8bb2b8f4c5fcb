import { Command } from "commander";
import { packageVersion } from "../platform/package-root.ts";
import { allSettings } from "../platform/settings/settings.ts";
import { addAccountCommands } from "./commands/account-commands.ts";
import { addBackupCommands } from "./commands/backup-commands.ts";
import { addDoctorCommand } from "./commands/doctor-command.ts";
import { addModelCommands } from "./commands/model-commands.ts";
import { addServeCommand } from "./commands/serve-command.ts";
import { addWorkerCommand } from "./commands/worker-command.ts";

/** Every command with its options. What a command needs beyond them is imported when it runs: reading everything takes longer than
 *  most of them do. `bin/help.txt` is what its help says, so that a checkout without packages can answer too. */
export function createProgram(): Command {
  const program = new Command("parlance")
    .description("Voice platform, model gateway and document extraction in one program.")
    .version(packageVersion())
    .showHelpAfterError("(./parlance --help explains every command)")
    .addHelpText("after", settingsHelp)
    .exitOverride();
  addServeCommand(program);
  addWorkerCommand(program);
  addAccountCommands(program);
  addModelCommands(program);
  addDoctorCommand(program);
  addBackupCommands(program);
  return program;
}

function settingsHelp(): string {
  const lines = allSettings().map(
    ({ env, fallback, help }) => `  ${env}${fallback ? ` (default ${fallback})` : ""}\n      ${help}`,
  );
  return `\nSettings (environment variables, or a file .env in the folder of this installation):\n${lines.join("\n")}`;
}
