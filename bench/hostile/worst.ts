import { runAnywhere } from "../../src/main/commands/run-anywhere.ts";
import { readSettings } from "../../src/platform/settings/settings.ts";
import { encodeBody, worst } from "../../tests/hostile/worst-bodies.ts";
import { startChildServer } from "../support/child-server.ts";
import { readThreadTimes, timesSince } from "../support/thread-times.ts";

/** What the dearest bodies that are accepted cost others: the longest wait of a bystander during the first second of each, and for how
 *  much of it the server's own thread computed. A wait alone says little: the machine may have other things to do.
 *  Usage: npm run bench -- hostile/worst */
const goalMs = 250;
/** What is heavy about a body is done within its first second: reading, checking, splitting, handing over. */
const watchedMs = 1200;

const lifted = { SVC_RATE_PER_MINUTE: "100000", SVC_GATEWAY_RATE_PER_MINUTE: "100000" };
const server = await startChildServer({ ...lifted, SVC_EXTRACTION_ENTERPRISE_PER_HOUR: "1000000" });
const settings = readSettings({ SVC_DATA_DIR: server.dataDir });
await runAnywhere(settings, "workspaces set-plan", { name: "default", extraction: "Enterprise" });
const { key } = server;
const serverPid = server.process.pid!;

let over = 0;
for (const [path, body] of worst) {
  const { bytes, type } = await encodeBody(body);
  const headers = { authorization: `Bearer ${key}`, "x-api-key": key, "content-type": type };
  const signal = AbortSignal.timeout(watchedMs);
  let isOver = false;
  const work = fetch(server.url + path, { method: "POST", headers, body: bytes, signal }).then(
    async (reply) => {
      await reply.arrayBuffer();
      return String(reply.status);
    },
    () => "at work",
  );
  void work.then(() => {
    isOver = true;
  });
  let worstWait = { waitedMs: 0, cpuMs: 0 };
  while (!isOver) {
    const before = readThreadTimes(serverPid);
    const began = performance.now();
    await (await fetch(`${server.url}/healthz`)).arrayBuffer();
    const waitedMs = performance.now() - began;
    if (waitedMs > worstWait.waitedMs) worstWait = { waitedMs, cpuMs: timesSince(serverPid, before).cpuMs };
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  if (Math.min(worstWait.waitedMs, worstWait.cpuMs) > goalMs) over += 1;
  const [waited, cpu] = [Math.round(worstWait.waitedMs), Math.round(worstWait.cpuMs)];
  console.log(
    `${path} (${bytes.length} bytes): ${await work}, longest wait ${waited} ms, computing for ${cpu} ms of it`,
  );
}
console.log(`${over} of ${worst.length} held others up by computing for more than ${goalMs} ms (goal: none)`);
await server.stop();
