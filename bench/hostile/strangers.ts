import { fork } from "node:child_process";
import { once } from "node:events";
import { readdirSync } from "node:fs";
import { arch, availableParallelism, cpus, loadavg } from "node:os";
import { startChildServer } from "../support/child-server.ts";
import { at, measure } from "./measure.ts";
import type { StrangerReport } from "./stranger.ts";

/** What strangers cost a well-behaved key: its 99th percentile alone, and then beside many addresses without a key that try every open
 *  route and socket. Both in one run, so that the ratio holds on any machine; the figures are this machine's.
 *  Usage: npm run bench -- hostile/strangers [minutes, default 5] [strangers at once, default 16] */
const [minutes, atOnce] = [Number(process.argv[2] ?? 5), process.argv[3] ?? "16"];
const goal = 2;

const server = await startChildServer({ SVC_RATE_PER_MINUTE: "100000" });
const pid = server.process.pid!;
const openFiles = () => readdirSync(`/proc/${pid}/fd`).length;
const keys = [server.key];
const pauseMs = 50;
await measure(server, keys, 3000, pauseMs);
const before = { files: openFiles(), rssMb: server.rssMb() };
const alone = await measure(server, keys, Math.min(minutes, 1) * 60_000, pauseMs);

const strangers = fork("bench/hostile/stranger.ts", [server.url, atOnce], { execArgv: ["--import", "tsx"] });
const beside = await measure(server, keys, minutes * 60_000, pauseMs);
const during = { files: openFiles(), rssMb: server.rssMb() };
strangers.send("end");
const [{ answers }] = (await once(strangers, "message")) as [StrangerReport];
await new Promise((resolve) => setTimeout(resolve, 3000));
const after = { files: openFiles(), rssMb: server.rssMb() };
await server.stop();

const figures = ({ asked, failures }: typeof alone) =>
  `p50 ${at(asked, 0.5)} ms, p99 ${at(asked, 0.99)} ms of ${asked.length}, ${failures} failed`;
const [cpu] = cpus();
console.log(
  `on ${availableParallelism()} cores ${arch()} (${cpu?.model.trim()}), load ${loadavg()[0]!.toFixed(1)} at the end`,
);
console.log(`  alone:            ${figures(alone)}\n  beside strangers: ${figures(beside)}`);
for (const [name, told] of Object.entries(answers).sort()) console.log(`  ${name}: ${JSON.stringify(told)}`);
for (const [name, { files, rssMb }] of Object.entries({ before, during, after })) {
  console.log(`  ${name}: ${files} descriptors, ${Math.round(rssMb)} MB`);
}
const ratio = at(beside.asked, 0.99) / at(alone.asked, 0.99);
console.log(`  ratio of the 99th percentiles: ${ratio.toFixed(2)} (goal: at most ${goal})`);
