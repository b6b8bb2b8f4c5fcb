import { type ChildProcess, spawn } from "node:child_process";
import autocannon from "autocannon";
import { compiled } from "../support/compile.ts";

/** The full chain (edge, key, scope, rate limit, validation, usage record, metrics) around a route that does nothing, against
 *  a bare node:http handler that parses and answers the same JSON. */
const seconds = Number(process.argv[2] ?? 8);
const connections = 50;
const body = JSON.stringify({ note: "x".repeat(300) });

const bare = await start("bare-server");
const ours = await start("chain-server");

const rounds: { name: string; perSecond: number; p50: number; p99: number }[] = [];
for (let round = 0; round < 3; round++) {
  rounds.push(await measure("bare node:http", bare));
  rounds.push(await measure("Parlance, full chain", ours));
}
const best = (name: string) =>
  rounds.filter((round) => round.name === name).sort((a, b) => b.perSecond - a.perSecond)[0]!;
const [peer, mine] = [best("bare node:http"), best("Parlance, full chain")];
console.table(rounds.map((round) => ({ ...round, perSecond: Math.round(round.perSecond) })));
console.log(
  `ratio ${((mine.perSecond / peer.perSecond) * 100).toFixed(0)} % of bare node:http (best of 3 rounds; goal 50 %); p99 ${mine.p99} ms against ${peer.p99} ms at ${connections} connections`,
);
bare.process.kill();
ours.process.kill();

interface Peer {
  process: ChildProcess;
  url: string;
  key: string;
}

async function start(name: string): Promise<Peer> {
  const child = spawn(process.execPath, [compiled(`bench/foundation/${name}.ts`)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  return new Promise((resolve) => {
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      const [url = "", key = ""] = /http:.*/.exec(text)?.[0].split(" ") ?? [];
      if (url) resolve({ process: child, url, key });
    });
  });
}

async function measure(name: string, peer: Peer) {
  const result = await autocannon({
    url: `${peer.url}/trivial`,
    connections,
    duration: seconds,
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${peer.key}` },
    body,
  });
  if (result.non2xx > 0) throw new Error(`${name} answered ${result.non2xx} requests with an error`);
  return { name, perSecond: result.requests.average, p50: result.latency.p50, p99: result.latency.p99 };
}
