import { join } from "node:path";
import { setFlagsFromString, writeHeapSnapshot } from "node:v8";
import { runInNewContext } from "node:vm";
import { call } from "../../tests/support/call.ts";
import { startBenchServer } from "../support/start-bench-server.ts";
import { forkCallers } from "./fork-callers.ts";

/** Memory of the whole server's process while calls are opened, spoken in and closed, ten at a time: npm run bench -- live/churn
 *  [calls] [--snapshots=FOLDER]. Callers run in a process of their own; snapshots are taken after 50 calls and after the last. */
// Every request that this process makes of itself would leave its times behind.
performance.setResourceTimingBufferSize(0);
const calls = Number(process.argv.find((argument) => /^\d+$/.test(argument)) ?? 400);
const folder = /--snapshots=(\S+)/.exec(process.argv.join(" "))?.[1];
const atOnce = 10;
const every = 50;

setFlagsFromString("--expose_gc");
const collect = runInNewContext("gc") as () => void;
const server = await startBenchServer({ SVC_CALLS_MOST: "100" });
const callers = forkCallers();
for (let done = 0; done < calls; done += atOnce) {
  const ids = Array.from({ length: atOnce }, (_, index) => done + index);
  await Promise.all(ids.map(openCall));
  await Promise.all(ids.map((id) => callers.ask({ close: id })));
  if ((done + atOnce) % every === 0) await report(done + atOnce);
}
callers.end();
await server.close();
process.exit(0);

async function openCall(id: number): Promise<void> {
  const { json: session } = await call(`${server.url}/v1/realtime/session`, {
    key: server.key,
    json: { mode: "external" },
  });
  const endpoint = `${session.url.replace("localhost", "127.0.0.1")}?token=${session.token}`;
  const { json: opened } = await call(endpoint, { json: { sdp: await callers.ask({ open: id }), type: "offer" } });
  await callers.ask({ answer: id, sdp: opened.sdp });
  await callers.ask({ speak: id });
}

async function report(done: number): Promise<void> {
  // Goodbyes and timers of the calls that just ended.
  await new Promise((resolve) => setTimeout(resolve, 3000));
  collect();
  collect();
  const { heapUsed, external, rss } = process.memoryUsage();
  const [heap, outside, resident] = [heapUsed, external, rss].map((bytes) => (bytes / 1e6).toFixed(2));
  console.log(`after ${done} calls: heap ${heap} MB, outside it ${outside}, resident ${resident}`);
  if (folder && (done === every || done + every > calls)) writeHeapSnapshot(join(folder, `${done}.heapsnapshot`));
}
