// How long each kind of failure is felt, and what a node without engines takes. npm run bench -- cluster/recovery
import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { form } from "../../tests/support/call.ts";
import { startCluster } from "../../tests/support/cluster.ts";
import { makeKey } from "../../tests/support/run-cli.ts";

const cluster = await startCluster();
const [one, other] = await Promise.all([cluster.startNode(), cluster.startNode()]);
let workers = await Promise.all([cluster.startWorker("speech,extraction"), cluster.startWorker("speech,extraction")]);
const key = await makeKey(one.dataDir, cluster.env);

async function speak(url: string): Promise<number> {
  const json = JSON.stringify({ text: "The morning train leaves at nine.", voice: "en_nora" });
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
  const reply = await fetch(`${url}/v1/speech`, { method: "POST", headers, body: json }).catch(() => undefined);
  await reply?.arrayBuffer().catch(() => {});
  return reply?.status ?? 0;
}

/** Until requests are answered again, asked one after the other. */
async function untilServed(ask: () => Promise<number>): Promise<number> {
  const began = performance.now();
  while ((await ask()) !== 200) await sleep(20);
  return performance.now() - began;
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

const seconds = (ms: number) => `${(ms / 1000).toFixed(2)} s`;

await untilServed(() => speak(one.url));
for (let i = 0; i < 3; i++) await Promise.all([speak(one.url), speak(other.url), speak(one.url), speak(other.url)]);
const usual = await timed(() => speak(one.url));
console.log(`a sentence through a worker: ${seconds(usual)}`);

for (const [label, node] of [
  ["a node without engines", one],
  ["the other", other],
] as const) {
  console.log(`memory of ${label}: ${residentMb(node.pid)} MB`);
}

const both = () => Promise.all([speak(one.url), speak(other.url), speak(one.url), speak(other.url)]);
const undisturbed = await timed(both);
const killing = both();
await sleep(100);
const dying = performance.now();
await workers[0].kill();
const statuses = await killing;
console.log(
  `a worker killed under four requests: ${statuses.filter((status) => status === 200).length} of 4 answered, the last ` +
    `${seconds(performance.now() - dying)} later (undisturbed ${seconds(undisturbed)})`,
);
workers = [await cluster.startWorker("speech,extraction"), workers[1]];
await both();

await cluster.nats.kill();
await cluster.nats.start();
console.log(`NATS killed and started: speech again after ${seconds(await untilServed(() => speak(one.url)))}`);

const restart = performance.now();
cluster.restartDatabase();
const restarted = performance.now() - restart;
console.log(
  `PostgreSQL restarted (${seconds(restarted)}): served again ${seconds(await untilServed(() => speak(one.url)))} later`,
);

const reply = await fetch(`${one.url}/extraction/v1/extract?wait=0`, {
  method: "POST",
  headers: { "x-api-key": key },
  body: form({ file: new Blob(["Invoice number: 1\nTotal: 10.00 EUR\n"]) }),
});
const { id } = (await reply.json()) as { id: string };
await one.kill();
const isDone = async () => {
  const found = await fetch(`${other.url}/extraction/v1/extractions/${id}`, { headers: { "x-api-key": key } });
  return ((await found.json()) as { status: string }).status === "completed" ? 200 : 0;
};
console.log(
  `a node killed with a document in its hands: another has it done after ${seconds(await untilServed(isDone))}`,
);
await cluster.close();

function residentMb(pid: number): number {
  const line = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, "utf8"));
  return Math.round(Number(line?.[1] ?? 0) / 1024);
}
