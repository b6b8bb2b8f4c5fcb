import type { Command } from "commander";
import { createLog } from "../../platform/log.ts";
import { readSettings, type Settings, unknownSettings } from "../../platform/settings/settings.ts";
import type { RunningServer } from "../serve.ts";
import { endOnSignal, outlive } from "./long-running.ts";

/** A key or a set-up link is made only for a person who sees it: what is not a terminal is a log, and others may read it. */
async function announce(server: RunningServer, settings: Settings): Promise<void> {
  console.log(`Parlance is listening on ${server.publicUrl} (API reference: ${server.publicUrl}/docs)`);
  if (settings.server.services.includes("dashboard") && !(await server.hasOwner())) {
    console.log(
      process.stdout.isTTY
        ? `\nSet the dashboard up (this link works once, for 30 minutes): ${await server.setupLink()}`
        : "Set the dashboard up with the link that this prints: ./parlance setup-link",
    );
  }
  const key = process.stdout.isTTY ? await server.createFirstKey() : undefined;
  if (key) {
    console.log(`\nYour first key, shown once: ${key}`);
    const { firstRequests } = await import("../first-start.ts");
    console.log(firstRequests(server.publicUrl, key, settings.server.services));
  } else {
    const hint = await server.keyHint();
    if (hint) console.log(hint);
  }
  if (settings.log.keepsTranscripts)
    console.log("Logs keep what is said and written; SVC_LOG_TRANSCRIPTS=0 replaces it by a count.");
}

export function addServeCommand(program: Command): void {
  program
    .command("serve")
    .description("Start the server.")
    .option("--services <list>", "which services: voice,gateway,extraction,dashboard")
    .option("--port <number>", "port to listen on")
    .option("--host <address>", "address to listen on")
    .action(async (options: { services?: string; port?: string; host?: string }) => {
      const settings = readSettings({
        ...process.env,
        ...(options.services ? { SVC_SERVICES: options.services } : {}),
        ...(options.port ? { SVC_PORT: options.port } : {}),
        ...(options.host ? { SVC_HOST: options.host } : {}),
      });
      for (const name of unknownSettings(process.env)) console.error(`There is no setting ${name}; it is ignored.`);
      const log = createLog(settings.log);
      // Whatever this process writes is its user's alone.
      process.umask(0o077);
      // The database opens in its own thread while this one loads the server's code, which other commands do without.
      const opening = (await import("../infrastructure.ts")).beginOpening(settings, log);
      const { serve } = await import("../serve.ts");
      const server = await serve(settings, log, opening);
      await announce(server, settings);
      outlive(log);
      endOnSignal(() => server.close());
    });
}
