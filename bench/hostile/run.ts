import { fork } from "node:child_process";
import { once } from "node:events";
import { runAnywhere } from "../../src/main/commands/run-anywhere.ts";
import { readSettings } from "../../src/platform/settings/settings.ts";
import { startChildServer } from "../support/child-server.ts";
import type { AbuseReport } from "./abuse.ts";
import { type Asked, at, type Measured, measure } from "./measure.ts";

/** Well-behaved clients of a few workspaces, alone and then beside mixed abuse by another: the ratio of their 99th percentiles is what
 *  the abuse costs them. First with the limits that a plan has, then with every limit on requests lifted. Names what was under way
 *  during the slowest replies, and whether the threads of the server and of this client computed meanwhile or waited for a core.
 *  Usage: npm run bench -- hostile/run [minutes of abuse for each, default 2; an hour is the real test]
 *         [requests that the abuser sends at once, default 8] */
const [minutes, atOnce] = [Number(process.argv[2] ?? 2), process.argv[3] ?? "8"];
const aloneMs = Math.min(minutes, 1) * 60_000;

/** Each within 60 requests a minute, the default limit of a key; together enough for a 99th percentile within one. */
const clients = 10;
const withinLimitMs = 1050 / clients;
/** The abuse begins with engines that are loaded for the first time; in an hour that is less than a hundredth of the replies. */
const beginningMs = 10_000;
await compare("with the default limits", {}, withinLimitMs);
await compare("every limit lifted", { SVC_RATE_PER_MINUTE: "1000000", SVC_GATEWAY_RATE_PER_MINUTE: "1000000" }, 20);

async function compare(title: string, env: Record<string, string>, pauseMs: number): Promise<void> {
  const server = await startChildServer(env);
  const settings = readSettings({ SVC_DATA_DIR: server.dataDir });
  const admin = <Result>(command: string, input: object) => runAnywhere(settings, command, input) as Promise<Result>;
  const keyOf = async (name: string) => {
    await admin("workspaces create", { name });
    await admin("workspaces set-plan", { name, gateway: "PLUS", extraction: "Enterprise" });
    return (await admin<{ key: string }>("keys create", { workspace: name, name, scopes: ["all"] })).key;
  };
  const key = await keyOf("abuser");
  const names = Array.from({ length: clients }, (_, index) => `client ${index}`);
  const keys: string[] = [];
  for (const name of names) keys.push(await keyOf(name));

  await measure(server, keys, 3000, pauseMs);
  const alone = await measure(server, keys, aloneMs, pauseMs);
  const abuser = fork("bench/hostile/abuse.ts", [server.url, key, atOnce], { execArgv: ["--import", "tsx"] });
  const besideFromMs = Date.now();
  const beside = await measure(server, keys, minutes * 60_000, pauseMs);
  abuser.send("end");
  const [{ statuses, attacks }] = (await once(abuser, "message")) as [AbuseReport];
  let recorded = 0;
  for (const workspace of names) {
    const days = await admin<{ requests: number }[]>("usage", { workspace, days: 1 });
    recorded += days.reduce((sum, { requests }) => sum + requests, 0);
  }
  await server.stop();

  const figures = ({ asked, failures }: Measured) =>
    `p50 ${at(asked, 0.5)} ms, p99 ${at(asked, 0.99)} ms of ${asked.length}, ${failures} failed`;
  console.log(`${title}\n  alone:        ${figures(alone)}\n  beside abuse: ${figures(beside)}`);
  console.log(`  answers to abuse: ${JSON.stringify(statuses)}`);
  console.log(`  usage records of the well-behaved: ${recorded}`);
  tellCauses(beside.asked, attacks);
  const settled = beside.asked.filter(({ fromMs }) => fromMs >= besideFromMs + beginningMs);
  const ratio = (asked: readonly Asked[]) => (at(asked, 0.99) / at(alone.asked, 0.99)).toFixed(2);
  console.log(`  ratio of the 99th percentiles: ${ratio(beside.asked)} (goal, in an hour: at most 2)`);
  console.log(`  without the first ten seconds, p99 ${at(settled, 0.99)} ms of ${settled.length}: ${ratio(settled)}`);
}

/** What the threads did during the slowest hundredth of the replies, and which attacks were under way more often than during all. */
function tellCauses(asked: readonly Asked[], attacks: AbuseReport["attacks"]): void {
  const slowest = [...asked].sort((a, b) => b.tookMs - a.tookMs).slice(0, Math.ceil(asked.length / 100));
  const mean = (of: (one: Asked) => number) =>
    (slowest.reduce((sum, one) => sum + of(one), 0) / slowest.length).toFixed(1);
  console.log(`  the slowest hundredth took ${mean(({ tookMs }) => tookMs)} ms. Meanwhile`);
  for (const who of ["server", "client"] as const) {
    const [cpu, waited] = [mean((one) => one[who].cpuMs), mean((one) => one[who].waitedMs)];
    console.log(`    the ${who}'s thread computed for ${cpu} ms and waited for a core for ${waited} ms`);
  }
  const shareOf = (name: string, of: readonly Asked[]) => {
    const spans = attacks.filter((attack) => attack.name === name);
    const isMet = ({ fromMs, tookMs }: Asked) =>
      spans.some((span) => span.fromMs <= fromMs + tookMs && span.toMs >= fromMs);
    return of.filter(isMet).length / of.length;
  };
  const names = [...new Set(attacks.map(({ name }) => name))];
  const shares = names.map((name) => ({ name, slow: shareOf(name, slowest), all: shareOf(name, asked) }));
  shares.sort((a, b) => b.slow - b.all - (a.slow - a.all));
  for (const { name, slow, all } of shares.slice(0, 4)) {
    const percent = (share: number) => `${Math.round(share * 100)} %`;
    console.log(`  under way during ${percent(slow)} of the slowest replies, ${percent(all)} of all: ${name}`);
  }
}
