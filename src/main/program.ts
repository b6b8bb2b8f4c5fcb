import { CommanderError } from "commander";
import { Problem } from "../platform/errors.ts";
import { useProxies } from "../platform/proxies.ts";
import { SettingError } from "../platform/settings/settings.ts";
import { createProgram } from "./create-program.ts";
import { StartError } from "./data-folder.ts";

try {
  await useProxies();
  await createProgram().parseAsync();
} catch (error) {
  process.exitCode = explain(error);
}

function explain(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode;
  const isExpected = error instanceof StartError || error instanceof SettingError || error instanceof Problem;
  console.error(isExpected ? (error as Error).message : error);
  return 1;
}
