import { runAnywhere } from "../../src/main/commands/run-anywhere.ts";
import { readSettings } from "../../src/platform/settings/settings.ts";
import { startChildServer } from "../support/child-server.ts";

/** Kills the server with SIGKILL at a random moment under write load, again and again on one database, and counts
 *  acknowledged writes that are gone afterwards. */
const rounds = Number(process.argv[2] ?? 50);
let dataDir: string | undefined;
let acknowledged = 0;
const openMs: number[] = [];
for (let round = 0; round < rounds; round++) {
  const server = await startChildServer({}, dataDir);
  dataDir = server.dataDir;
  openMs.push(server.startedMs);
  const settings = readSettings({ SVC_DATA_DIR: dataDir });
  // A command that finds no server opens the database itself, so writers must be told when to stop.
  let isOver = false;
  const write = async () => {
    while (!isOver) {
      await runAnywhere(settings, "credits grant", { workspace: "default", amount: "0.000001" });
      acknowledged += 1;
    }
  };
  const writers = Promise.allSettled([write(), write(), write(), write()]);
  await new Promise((resolve) => setTimeout(resolve, 300 + Math.random() * 700));
  isOver = true;
  await server.stop("SIGKILL");
  await writers;
  process.stdout.write(`\rround ${round + 1}/${rounds}, ${acknowledged} acknowledged`);
}
const last = await startChildServer({}, dataDir);
const { balance } = (await runAnywhere(readSettings({ SVC_DATA_DIR: dataDir }), "credits balance", {
  workspace: "default",
})) as { balance: string };
await last.stop();
const kept = Math.round((Number(balance) - 10) * 1e6);
openMs.sort((a, b) => a - b);
console.log(
  `\n${rounds} SIGKILLs, ${acknowledged} acknowledged writes, ${kept} kept, lost: ${Math.max(0, acknowledged - kept)}; median start ${(openMs[openMs.length >> 1]! / 1000).toFixed(1)} s`,
);
process.exit(acknowledged > kept ? 1 : 0);
