import { fork } from "node:child_process";
import { once } from "node:events";
import { runAnywhere } from "../../src/main/commands/run-anywhere.ts";
import { readSettings } from "../../src/platform/settings/settings.ts";
import { startChildServer } from "../support/child-server.ts";

/** A well-behaved client of one workspace, alone and then beside mixed abuse by another: the ratio of its 99th percentiles is what
 *  the abuse costs it. First with the limits that a plan has, then with every limit on requests lifted.
 *  Usage: npm run bench -- hostile/run [minutes of abuse for each, default 2; an hour is the real test] */
const minutes = Number(process.argv[2] ?? 2);
const aloneMs = Math.min(minutes, 1) * 60_000;

/** Within 60 requests a minute, the default limit of a key. */
const withinLimitMs = 1050;
await compare("with the default limits", {}, withinLimitMs);
await compare("every limit lifted", { SVC_RATE_PER_MINUTE: "1000000", SVC_GATEWAY_RATE_PER_MINUTE: "1000000" }, 20);

async function compare(title: string, env: Record<string, string>, pauseMs: number): Promise<void> {
  const server = await startChildServer(env);
  const settings = readSettings({ SVC_DATA_DIR: server.dataDir });
  const admin = <Result>(command: string, input: object) => runAnywhere(settings, command, input) as Promise<Result>;
  await admin("workspaces create", { name: "abuser" });
  await admin("workspaces set-plan", { name: "abuser", gateway: "PLUS", extraction: "Enterprise" });
  const { key } = await admin<{ key: string }>("keys create", { workspace: "abuser", name: "abuse", scopes: ["all"] });

  await measure(server, 3000, pauseMs);
  const alone = await measure(server, aloneMs, pauseMs);
  const abuser = fork("bench/hostile/abuse.ts", [server.url, key], { execArgv: ["--import", "tsx"] });
  const beside = await measure(server, minutes * 60_000, pauseMs);
  abuser.send("end");
  const [statuses] = await once(abuser, "message");
  const usage = await admin<{ requests: number }[]>("usage", { workspace: "default", days: 1 });
  await server.stop();

  const figures = ({ times, failures }: Measured) =>
    `p50 ${at(times, 0.5)} ms, p99 ${at(times, 0.99)} ms of ${times.length}, ${failures} failed`;
  console.log(`${title}\n  alone:        ${figures(alone)}\n  beside abuse: ${figures(beside)}`);
  console.log(`  answers to abuse: ${JSON.stringify(statuses)}`);
  console.log(`  usage records of the well-behaved: ${usage.reduce((sum, { requests }) => sum + requests, 0)}`);
  console.log(
    `  ratio of the 99th percentiles: ${(at(beside.times, 0.99) / at(alone.times, 0.99)).toFixed(2)} (goal: at most 2)`,
  );
}

interface Measured {
  times: number[];
  failures: number;
}

async function measure(server: { url: string; key: string }, forMs: number, pauseMs: number): Promise<Measured> {
  const times: number[] = [];
  let failures = 0;
  for (const until = performance.now() + forMs; performance.now() < until; ) {
    const began = performance.now();
    const reply = await fetch(`${server.url}/v1/voices`, { headers: { authorization: `Bearer ${server.key}` } });
    await reply.arrayBuffer();
    times.push(performance.now() - began);
    if (reply.status !== 200) failures += 1;
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
  return { times, failures };
}

function at(times: readonly number[], share: number): number {
  const sorted = [...times].sort((a, b) => a - b);
  return Math.round((sorted[Math.floor(sorted.length * share)] ?? 0) * 10) / 10;
}
