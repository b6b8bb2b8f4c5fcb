import { Command, CommanderError } from "commander";
import { Problem } from "../platform/errors.ts";
import { packageVersion } from "../platform/package-root.ts";
import { allSettings, SettingError } from "../platform/settings/settings.ts";
import { addAccountCommands } from "./commands/account-commands.ts";
import { addBackupCommands } from "./commands/backup-commands.ts";
import { addDoctorCommand } from "./commands/doctor.ts";
import { addModelCommands } from "./commands/model-commands.ts";
import { addServeCommand } from "./commands/serve-command.ts";
import { StartError } from "./data-folder.ts";

const program = new Command("parlance")
  .description("Voice platform, model gateway and document extraction in one program.")
  .version(packageVersion())
  .showHelpAfterError("(parlance --help explains every command)")
  .addHelpText("after", settingsHelp)
  .exitOverride();
addServeCommand(program);
addAccountCommands(program);
addModelCommands(program);
addDoctorCommand(program);
addBackupCommands(program);

try {
  await program.parseAsync();
} catch (error) {
  process.exitCode = explain(error);
}

function explain(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode;
  const isExpected = error instanceof StartError || error instanceof SettingError || error instanceof Problem;
  console.error(isExpected ? (error as Error).message : error);
  return 1;
}

function settingsHelp(): string {
  const lines = allSettings().map(
    ({ env, fallback, help }) => `  ${env}${fallback ? ` (default ${fallback})` : ""}\n      ${help}`,
  );
  return `\nSettings (environment variables, or a file .env):\n${lines.join("\n")}`;
}
