// Minutes of bad luck: npm run bench -- cluster/chaos [minutes] [seed]
// Under load, nodes, workers, NATS and PostgreSQL are killed and stopped at random and come back; then everything is audited.
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { call, form } from "../../tests/support/call.ts";
import { type ClusterProcess, startCluster } from "../../tests/support/cluster.ts";
import { makeKey, runCli } from "../../tests/support/run-cli.ts";
import { startSpender } from "../../tests/support/spender.ts";

const minutes = Number(process.argv[2] ?? 3);
let state = Number(process.argv[3] ?? 7);
/** Between two misfortunes, and until what was killed comes back. */
const calmMs = [2000, 6000] as const;
const awayMs = [0, 3000] as const;
const engines = "extraction";

const spender = await startSpender();
const cluster = await startCluster({ ...spender.env, SVC_EXTRACTION_ENTERPRISE_PER_HOUR: "1000000" });
const nodes = await Promise.all([cluster.startNode(), cluster.startNode(), cluster.startNode()]);
const workers = await Promise.all([cluster.startWorker(engines), cluster.startWorker(engines)]);
const admin = { ...cluster.env, SVC_DATA_DIR: nodes[0]!.dataDir };
spender.key = await makeKey(nodes[0]!.dataDir, cluster.env);
await runCli(["workspaces", "set-plan", "default", "--extraction", "Enterprise"], admin);

let isOver = false;
const statuses = new Map<string, number>();
const documents = new Set<string>();
const count = (what: string) => statuses.set(what, (statuses.get(what) ?? 0) + 1);
const load = Promise.all(nodes.flatMap((_, place) => [spendAt(place), extractAt(place)]));

const misfortunes: Record<string, () => Promise<void>> = {
  async "a node killed"() {
    const place = pick(nodes.length);
    await nodes[place]!.kill();
    await away();
    nodes[place] = await cluster.startNode({ SVC_DATA_DIR: nodes[place]!.dataDir });
  },
  async "a worker killed"() {
    const place = pick(workers.length);
    await workers[place]!.kill();
    await away();
    workers[place] = await cluster.startWorker(engines);
  },
  "a node that stands still": () => standStill(nodes[pick(nodes.length)]!),
  "a worker that stands still": () => standStill(workers[pick(workers.length)]!),
  async "NATS killed"() {
    await cluster.nats.kill();
    await away();
    await cluster.nats.start();
  },
  async "PostgreSQL killed"() {
    cluster.killDatabase();
    await away();
    cluster.restartDatabase();
  },
};
const happened = new Map<string, number>();
const end = performance.now() + minutes * 60_000;
while (performance.now() < end) {
  await sleep(between(calmMs));
  const name = Object.keys(misfortunes)[pick(Object.keys(misfortunes).length)]!;
  await misfortunes[name]!();
  happened.set(name, (happened.get(name) ?? 0) + 1);
}
isOver = true;
await load;
console.log(`${minutes} minutes: ${list(happened)}`);
console.log(`answers: ${list(statuses)}`);
const wrong = await audit().finally(() => cluster.close());
await spender.close();
console.log(wrong.length === 0 ? "nothing lost, nothing charged twice, nothing stuck" : `WRONG: ${wrong.join("; ")}`);
process.exit(wrong.length === 0 ? 0 : 1);

async function spendAt(place: number): Promise<void> {
  while (!isOver) {
    count(`spend ${await spender.spend(nodes[place]!)}`);
    await sleep(20);
  }
}

async function extractAt(place: number): Promise<void> {
  while (!isOver) {
    const body = form({ file: new Blob(["Invoice number: 7\nTotal: 10.00 EUR\n"]) });
    const asked = call(`${nodes[place]!.url}/extraction/v1/extract?wait=0`, { key: spender.key, body });
    const { status, json } = await asked.catch(() => ({ status: 0, json: undefined }));
    if (status >= 200 && status < 300) documents.add(json.id);
    count(`extract ${status}`);
    await sleep(1000);
  }
}

/** What is not as it should be. */
async function audit(): Promise<string[]> {
  const database = new pg.Client({ connectionString: cluster.databaseUrl });
  await database.connect();
  const ask = async (text: string) => Number((await database.query(text)).rows[0].count);
  const found: string[] = [];
  const claim = (isRight: boolean, text: string) => {
    console.log(`${isRight ? "right" : "WRONG"}: ${text}`);
    if (!isRight) found.push(text);
  };
  const stuck = () => ask("SELECT count(*) FROM jobs WHERE state IN ('queued', 'running')");
  // Two leases without any progress: what is left would stay.
  for (let left = await stuck(), before = Number.POSITIVE_INFINITY; left > 0 && left < before; ) {
    await sleep(30_000);
    before = left;
    left = await stuck();
  }
  claim((await stuck()) === 0, `jobs that are stuck: ${await stuck()}`);
  const done = await ask("SELECT count(*) FROM extractions WHERE status = 'completed' AND is_stored");
  const others = await ask(
    `SELECT count(*) FROM extractions WHERE status <> 'completed' AND id = ANY ('{${[...documents].join(",")}}')`,
  );
  claim(
    others === 0 && done >= documents.size,
    `${documents.size} documents accepted, ${done} completed, ${others} not`,
  );
  // Every second what was spent is written.
  await sleep(3000);
  const broken = statuses.get("spend 0") ?? 0;
  const more = await spender.unacknowledged(nodes[0]!);
  claim(
    Number.isInteger(more) && more >= 0 && more <= broken,
    `${spender.paid} requests acknowledged and ${broken} broken off; ${more} of these were charged`,
  );
  const requests = await ask("SELECT count(*) FROM gateway_requests");
  claim(requests === spender.paid + more, `${requests} requests in the report`);
  const usage = await ask(
    "SELECT count(*) FROM usage_records WHERE service = 'gateway' AND status = 200 AND route LIKE '%chat/completions%'",
  );
  claim(usage >= spender.paid && usage <= spender.paid + broken, `${usage} of them in the usage`);
  const verdicts = await spender.audit(cluster, nodes[0]!);
  claim(
    verdicts.every((verdict) => verdict === "right"),
    `credits audit: ${verdicts.join(", ")}`,
  );
  await database.end();
  return found;
}

/** For longer than others wait for it. */
async function standStill({ pid }: ClusterProcess): Promise<void> {
  process.kill(pid, "SIGSTOP");
  await sleep(8000);
  process.kill(pid, "SIGCONT");
}

function pick(many: number): number {
  state = (state * 1_664_525 + 1_013_904_223) >>> 0;
  return Math.floor((state / 2 ** 32) * many);
}

function between([least, most]: readonly [number, number]): number {
  return least + pick(most - least);
}

function away(): Promise<void> {
  return sleep(between(awayMs));
}

function list(counts: ReadonlyMap<string, number>): string {
  return [...counts].map(([name, times]) => `${name} ${times}`).join(", ");
}
