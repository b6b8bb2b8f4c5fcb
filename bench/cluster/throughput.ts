// Gateway requests by nodes and sentences by workers, each process with the same share of a core, one after the other in one run.
// npm run bench -- cluster/throughput
import { setTimeout as sleep } from "node:timers/promises";
import { Pool } from "undici";
import { type ClusterProcess, startCluster } from "../../tests/support/cluster.ts";
import { completion, sendJson, startFakeUpstream } from "../../tests/support/fake-upstream.ts";
import { makeKey } from "../../tests/support/run-cli.ts";
import { pinShare } from "./share.ts";

const sizes = [1, 2, 4];
const share = Number(process.argv[2] ?? 0.1);
const seconds = 8;

const upstream = await startFakeUpstream();
const usage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15, cost: 0.000001 };
upstream.on("/v1/chat/completions", (_request, response) => sendJson(response, completion(usage)));
const cluster = await startCluster({ SVC_GATEWAY_UPSTREAM_URL: upstream.url, SVC_GATEWAY_RATE_PER_MINUTE: "1000000" });
const nodes: ClusterProcess[] = [];
for (let i = 0; i < 4; i++) nodes.push(await cluster.startNode());
const key = await makeKey(nodes[0]!.dataDir, cluster.env);
const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };

/** Requests that were answered with 200, over all of `urls`, in one second. */
async function rate(urls: string[], path: string, body: object, atOnce: number): Promise<number> {
  const pools = urls.map((url) => new Pool(url, { connections: atOnce }));
  let served = 0;
  const until = performance.now() + seconds * 1000;
  const began = performance.now();
  await Promise.all(
    pools.flatMap((pool) =>
      Array.from({ length: atOnce }, async () => {
        while (performance.now() < until) {
          const reply = await pool.request({ path, method: "POST", headers, body: JSON.stringify(body) });
          await reply.body.arrayBuffer();
          if (reply.statusCode === 200) served += 1;
        }
      }),
    ),
  );
  const perSecond = served / ((performance.now() - began) / 1000);
  await Promise.all(pools.map((pool) => pool.close()));
  return perSecond;
}

function show(what: string, rates: number[]): void {
  for (const [i, perSecond] of rates.entries()) {
    const ratio = perSecond / (rates[0]! * sizes[i]!);
    console.log(`${what}, ${sizes[i]}: ${perSecond.toFixed(1)}/s, ${(ratio * 100).toFixed(0)} % of linear`);
  }
}

const released = nodes.map(({ pid }) => pinShare(pid, share));
console.log(released[0] ? `each process has ${share * 100} % of a core` : "shares cannot be pinned here: all compete");
const chat = { model: "acme/chat", messages: [{ role: "user", content: "Hi" }], max_tokens: 5 };
await rate([nodes[0]!.url], "/gateway/v1/chat/completions", chat, 4);
const byNodes: number[] = [];
for (const size of sizes) {
  const urls = nodes.slice(0, size).map(({ url }) => url);
  byNodes.push(await rate(urls, "/gateway/v1/chat/completions", chat, 8));
}
show("gateway requests by nodes", byNodes);

for (const node of nodes.slice(1)) await node.kill();
const byWorkers: number[] = [];
const workers: ClusterProcess[] = [];
const text = { text: "The train leaves at nine.", voice: "en_nora" };
for (const size of sizes) {
  while (workers.length < size) {
    const worker = await cluster.startWorker("speech", { SVC_ENGINE_THREADS: "1" });
    released.push(pinShare(worker.pid, share * 2));
    workers.push(worker);
  }
  await sleep(2000);
  // Each has its voice loaded.
  await rate([nodes[0]!.url], "/v1/speech", text, 3 * size);
  byWorkers.push(await rate([nodes[0]!.url], "/v1/speech", text, 3 * size));
}
show("sentences by workers", byWorkers);
await cluster.close();
await upstream.close();
for (const release of released) release?.();
process.exit(0);
