// What the way over NATS adds to a call: the pool asks a worker in another process to give back what it gets, and beside it the
// plain NATS client does the same. npm run bench -- cluster/hop
import { fork } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { connect } from "@nats-io/transport-node";
import { connectNats } from "../../src/adapters/bus/nats-bus.ts";
import { ANY } from "../../src/adapters/workers/protocol.ts";
import { serveWork } from "../../src/adapters/workers/serve-work.ts";
import { createWorkerPool } from "../../src/adapters/workers/worker-pool.ts";
import { silentLog } from "../../src/platform/log.ts";
import { startNats } from "../../tests/support/nats-server.ts";

const calls = 2000;
const lane = { engine: "embeddings", model: ANY, language: ANY } as const;
const idle = { queued: 0, active: 0, places: 1000, meanJobMs: 1, oldestWaitMs: 0 };

if (process.send) {
  // The worker: gives back what it gets.
  const bus = await connectNats({ url: process.argv[2]!, name: "bench", log: silentLog });
  serveWork({
    bus,
    name: "bench",
    log: silentLog,
    operations: {
      echo: {
        engine: "embeddings",
        async *run(input: unknown) {
          yield input;
        },
      },
    },
    catalog: () => ({ embeddings: {} }),
    load: () => idle,
  });
  // The peer: a request and its answer, and nothing else.
  const plain = await connect({ servers: new URL(process.argv[2]!).host });
  plain.subscribe("plain", { callback: (_error, message) => void message.respond(message.data) });
  await plain.flush();
  process.send("ready");
} else {
  const nats = await startNats();
  const worker = fork(import.meta.filename, [nats.url], { execArgv: ["--import", "tsx"] });
  await once(worker, "message");
  const bus = await connectNats({ url: nats.url, name: "bench", log: silentLog });
  const pool = createWorkerPool({ bus, name: "bench", log: silentLog });
  const plain = await connect({ servers: new URL(nats.url).host });
  const ask = async (input: unknown) => {
    const { signal } = new AbortController();
    for await (const answer of pool.run({ lane, operation: "echo", input, signal })) return answer;
    throw new Error("no answer");
  };
  for (const [label, input, count] of [
    ["1 KB", Buffer.alloc(1000), calls],
    ["64 KB", Buffer.alloc(64_000), calls / 10],
    ["2 MB (30 s of sound)", new Float32Array(480_000), calls / 20],
  ] as const) {
    const ours: number[] = [];
    const theirs: number[] = [];
    // In turns, so that both meet the same disturbances.
    for (let i = 0; i < count; i++) {
      ours.push(await time(() => ask(input)));
      if (input instanceof Buffer) theirs.push(await time(() => plain.request("plain", input)));
    }
    const peer = theirs.length > 0 ? `; plain NATS ${show(theirs)}, ratio ${ratio(ours, theirs)}` : "";
    console.log(`${label}: ${show(ours)} there and back${peer}`);
  }
  const spent = cpuSeconds(nats.pid);
  const began = performance.now();
  await Promise.all(Array.from({ length: calls }, () => ask(Buffer.alloc(1000))));
  const perSecond = Math.round(calls / ((performance.now() - began) / 1000));
  const server = ((cpuSeconds(nats.pid) - spent) / calls) * 1e6;
  console.log(
    `${calls} at once: ${perSecond} calls/s through one node and one worker; NATS itself ${server.toFixed(0)} µs a call`,
  );
  worker.kill();
  pool.close();
  await plain.close();
  await bus.close();
  await nats.kill();
}

async function time(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

function at(times: number[], share: number): number {
  return times.sort((a, b) => a - b)[Math.floor(times.length * share)]!;
}

function show(times: number[]): string {
  return `p50 ${at(times, 0.5).toFixed(2)}, p90 ${at(times, 0.9).toFixed(2)}, p99 ${at(times, 0.99).toFixed(2)} ms`;
}

function ratio(ours: number[], theirs: number[]): string {
  return (at(ours, 0.5) / at(theirs, 0.5)).toFixed(2);
}

/** Of a process, as Linux counts it: hundredths of a second. */
function cpuSeconds(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]!.split(" ");
  return (Number(fields[11]) + Number(fields[12])) / 100;
}
