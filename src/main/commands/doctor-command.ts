import type { Command } from "commander";
import { readSettings } from "../../platform/settings/settings.ts";
import { printRows } from "./print.ts";

export function addDoctorCommand(program: Command): void {
  program
    .command("doctor")
    .description("Check engines, database, disk and port, and say what to do.")
    .option("--engines", "run the engines on a few sentences instead: words wrong, speed, memory")
    .option("--json", "print JSON")
    .action(async ({ json, engines }: { json?: boolean; engines?: boolean }) => {
      if (engines) {
        await showEngines(json === true);
        return;
      }
      const { examine } = await import("./doctor.ts");
      const findings = await examine(readSettings(process.env));
      if (json) console.log(JSON.stringify(findings));
      else printRows(findings);
      if (findings.some(({ state }) => state === "problem")) process.exitCode = 1;
    });
}

/** Line by line at a terminal: the first may take a while to load. */
async function showEngines(isJson: boolean): Promise<void> {
  const { checkEngines } = await import("./check-engines.ts");
  const rows = [];
  for await (const row of checkEngines(readSettings(process.env))) {
    rows.push(row);
    if (!isJson && process.stdout.isTTY) process.stdout.write(`\r${row.check} ...`.padEnd(40));
  }
  if (!isJson && process.stdout.isTTY) process.stdout.write("\r");
  if (isJson) console.log(JSON.stringify(rows));
  else printRows(rows);
}
