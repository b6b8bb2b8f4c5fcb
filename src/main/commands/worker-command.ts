import type { Command } from "commander";
import { createLog } from "../../platform/log.ts";
import { readSettings, unknownSettings } from "../../platform/settings/settings.ts";
import { endOnSignal, outlive } from "./long-running.ts";

export function addWorkerCommand(program: Command): void {
  program
    .command("worker")
    .description("Run engines for the servers of the same NATS (SVC_BUS_URL). Needs no database.")
    .option("--engines <list>", "which: speech,transcription,cloning,translation,chat,embeddings,extraction")
    .option("--port <number>", "port of /readyz and /metrics; 0 takes any free one")
    .option("--host <address>", "address to listen on")
    .action(async (options: { engines?: string; port?: string; host?: string }) => {
      const settings = readSettings({
        ...process.env,
        ...(options.engines ? { SVC_ENGINES: options.engines } : {}),
        ...(options.port ? { SVC_PORT: options.port } : {}),
        ...(options.host ? { SVC_HOST: options.host } : {}),
      });
      for (const name of unknownSettings(process.env)) console.error(`There is no setting ${name}; it is ignored.`);
      const log = createLog(settings.log);
      process.umask(0o077);
      const { runWorker } = await import("../worker.ts");
      const worker = await runWorker(settings, log);
      console.log(`The worker runs ${worker.engines.join(", ")} (http://localhost:${worker.port}/readyz)`);
      outlive(log);
      endOnSignal(() => worker.close());
    });
}
