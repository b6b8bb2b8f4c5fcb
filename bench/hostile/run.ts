import { runAnywhere } from "../../src/main/commands/run-anywhere.ts";
import { readSettings } from "../../src/platform/settings/settings.ts";
import { startChildServer } from "../support/child-server.ts";

/** A well-behaved client of one workspace, alone and then beside mixed abuse by another: the ratio of its 99th percentiles is what
 *  the abuse costs it. Usage: npm run bench -- hostile/run [minutes of abuse, default 2; an hour is the real test] */
const minutes = Number(process.argv[2] ?? 2);
const pauseMs = 20;

type Attack = () => readonly [path: string, body: string | FormData, type?: string];

function document(text: string): FormData {
  const form = new FormData();
  form.append("file", new Blob([text], { type: "text/plain" }), "a.txt");
  return form;
}

const json = "application/json";
const attackList: readonly Attack[] = [
  () => ["/v1/translate", JSON.stringify({ text: "é".repeat(160_000), target_language: "es" }), json],
  () => ["/v1/chat", JSON.stringify({ message: `e${"\u0301".repeat(1_000_000)}` }), json],
  () => ["/v1/chat", "[".repeat(4_000_000), json],
  () => ["/gateway/v1/chat/completions", `[${"[],".repeat(1_000_000)}1]`, json],
  () => [
    "/gateway/v1/chat/completions",
    JSON.stringify({ model: "a/b", messages: [], models: Array(200_000).fill("a") }),
    json,
  ],
  () => ["/extraction/v1/templates", "? ".repeat(20_000), "application/yaml"],
  () => [
    "/extraction/v1/templates",
    JSON.stringify({ name: "t", fields: [{ name: "__proto__.a", labels: ["x"] }] }),
    json,
  ],
  () => ["/extraction/v1/extract?wait=30", document("a ".repeat(40_000))],
  () => ["/v1/transcribe", document("RIFF".repeat(1_000_000))],
  () => ["/v1/speech", JSON.stringify({ text: "Hello. ".repeat(400), voice: "constructor" }), json],
  () => ["/v1/nowhere", "x".repeat(1_000_000), json],
];

const server = await startChildServer({ SVC_RATE_PER_MINUTE: "1000000", SVC_GATEWAY_RATE_PER_MINUTE: "1000000" });
const settings = readSettings({ SVC_DATA_DIR: server.dataDir });
const admin = <Result>(command: string, input: object) => runAnywhere(settings, command, input) as Promise<Result>;
await admin("workspaces create", { name: "abuser" });
await admin("workspaces set-plan", { name: "abuser", gateway: "PLUS", extraction: "Enterprise" });
const made = { workspace: "abuser", name: "abuse", scopes: ["all"] };
const { key: abuser } = await admin<{ key: string }>("keys create", made);

const alone = await measure(15_000);
let isOver = false;
let attacks = 0;
const statuses = new Map<number, number>();
const abusers = Array.from({ length: 8 }, abuse);
const beside = await measure(minutes * 60_000);
isOver = true;
await Promise.all(abusers);
const usage = await admin<{ requests: number }[]>("usage", { workspace: "default", days: 1 });
await server.stop();

const figures = (times: readonly number[]) => `p50 ${at(times, 0.5)} ms, p99 ${at(times, 0.99)} ms of ${times.length}`;
console.log(`alone:        ${figures(alone.times)}, ${alone.failures} failed`);
console.log(`beside abuse: ${figures(beside.times)}, ${beside.failures} failed`);
console.log(`abuse: ${attacks} requests, answers ${JSON.stringify(Object.fromEntries([...statuses].sort()))}`);
console.log(
  `usage records of the well-behaved: ${usage.reduce((sum, { requests }) => sum + requests, 0)} of ${alone.times.length + beside.times.length}`,
);
console.log(
  `ratio of the 99th percentiles: ${(at(beside.times, 0.99) / at(alone.times, 0.99)).toFixed(2)} (goal: at most 2)`,
);

async function measure(forMs: number): Promise<{ times: number[]; failures: number }> {
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

async function abuse(): Promise<void> {
  while (!isOver) {
    const [path, body, type] = attackList[Math.floor(Math.random() * attackList.length)]!();
    const headers = {
      authorization: `Bearer ${abuser}`,
      "x-api-key": abuser,
      ...(type ? { "content-type": type } : {}),
    };
    const reply = await fetch(server.url + path, { method: "POST", headers, body }).catch(() => undefined);
    await reply?.arrayBuffer().catch(() => {});
    const status = reply?.status ?? 0;
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
    attacks += 1;
  }
}

function at(times: readonly number[], share: number): number {
  const sorted = [...times].sort((a, b) => a - b);
  return Math.round((sorted[Math.floor(sorted.length * share)] ?? 0) * 10) / 10;
}
