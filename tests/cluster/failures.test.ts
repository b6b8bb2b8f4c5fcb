import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { call, form, type Reply } from "../support/call.ts";
import { type Cluster, type ClusterProcess, startCluster } from "../support/cluster.ts";
import { postgresUrl } from "../support/databases.ts";
import { lacksModels, speechModels } from "../support/local-speech.ts";
import { hasNats } from "../support/nats-server.ts";
import { makeKey } from "../support/run-cli.ts";
import { type Spender, startSpender } from "../support/spender.ts";

/** One topology for all of them, as deploy/cluster.compose.yaml has it: two nodes without engines, two workers, PostgreSQL, NATS. */
describe.skipIf(!hasNats || !postgresUrl || lacksModels(...speechModels))("a cluster", () => {
  let cluster: Cluster;
  let spender: Spender;
  let nodes: [ClusterProcess, ClusterProcess];
  let workers: [ClusterProcess, ClusterProcess];
  let key: string;

  beforeAll(async () => {
    spender = await startSpender();
    cluster = await startCluster(spender.env);
    const started = await Promise.all([
      cluster.startNode(),
      cluster.startNode(),
      cluster.startWorker("speech,extraction"),
      cluster.startWorker("speech,extraction"),
    ]);
    nodes = [started[0]!, started[1]!];
    workers = [started[2]!, started[3]!];
    key = await makeKey(nodes[0].dataDir, cluster.env);
    spender.key = key;
    // Both have a loaded voice before anything fails.
    await vi.waitFor(async () => expect((await speak(nodes[0])).status).toBe(200), { timeout: 60_000 });
    await Promise.all(Array.from({ length: 4 }, (_, i) => speak(nodes[i % 2]!)));
  });
  afterAll(async () => {
    await cluster?.close();
    await spender?.close();
  });

  const speak = (node: ClusterProcess) =>
    call(`${node.url}/v1/speech`, { key, json: { text: "The morning train leaves at nine.", voice: "en_nora" } });
  const statuses = (replies: Reply[]) =>
    replies.map(({ status, text }) => (status === 200 ? 200 : `${status} ${text}`));
  /** Enough that both workers have some when something happens. */
  const speakMuch = () => Array.from({ length: 8 }, (_, i) => speak(nodes[i % 2]!));

  it("that loses a worker in the middle of its work answers every request", async () => {
    const replies = speakMuch();
    await sleep(150);
    await workers[1].kill();
    expect(statuses(await Promise.all(replies))).toEqual(Array(8).fill(200));
    workers[1] = await cluster.startWorker("speech,extraction");
  });

  it("with a worker that stands still answers every request", async () => {
    const replies = speakMuch();
    await sleep(150);
    process.kill(workers[0].pid, "SIGSTOP");
    const answered = await Promise.all(replies).finally(() => process.kill(workers[0].pid, "SIGCONT"));
    expect(statuses(answered)).toEqual(Array(8).fill(200));
  });

  it("lets a worker that is asked to end finish first", async () => {
    const replies = speakMuch();
    await sleep(150);
    expect(await workers[0].end()).toBe(0);
    expect(statuses(await Promise.all(replies))).toEqual(Array(8).fill(200));
    workers[0] = await cluster.startWorker("speech,extraction");
  });

  it("goes on by itself when NATS is killed and comes back", async () => {
    const replies = speakMuch();
    await sleep(150);
    await cluster.nats.kill();
    // What needs no worker goes on meanwhile.
    expect(await spender.spend(nodes[0])).toBe(200);
    await cluster.nats.start();
    expect(statuses(await Promise.all(replies))).toEqual(Array(8).fill(200));
  });

  it("loses nothing when PostgreSQL restarts", async () => {
    let isOver = false;
    const load = spender.spendUntil(nodes, () => isOver);
    await sleep(300);
    cluster.restartDatabase();
    await sleep(500);
    isOver = true;
    // Served, or refused with a word about it: never a 500.
    for (const statuses of await load) for (const status of statuses) expect([200, 401, 503]).toContain(status);
    for (const node of nodes) await expect.poll(() => spender.spend(node), { timeout: 30_000 }).toBe(200);
  });

  it("loses no document and no cent when a node is killed", async () => {
    const send = (i: number) =>
      call(`${nodes[0].url}/extraction/v1/extract?wait=0`, {
        key,
        body: form({ file: new Blob([`Invoice number: ${i}\nTotal: 10.00 EUR\n`]) }),
      });
    const accepted = await Promise.all(Array.from({ length: 6 }, (_, i) => send(i)));
    await Promise.all(Array.from({ length: 10 }, () => spender.spend(nodes[0])));
    await nodes[0].kill();
    const { dataDir } = nodes[0];
    // The other node takes what it had, within a lease.
    for (const [i, { json }] of accepted.entries()) {
      const find = () => call(`${nodes[1].url}/extraction/v1/extractions/${json.id}`, { key });
      await expect.poll(async () => (await find()).json.status, { timeout: 60_000, interval: 500 }).toBe("completed");
      expect((await find()).json.data.invoice_number).toBe(String(i));
    }
    // What it had charged and not yet written down is in its own journal.
    nodes[0] = await cluster.startNode({ SVC_DATA_DIR: dataDir });
    expect(await spender.spend(nodes[0])).toBe(200);
    await expect.poll(() => spender.unacknowledged(nodes[1]), { timeout: 30_000 }).toBe(0);
    expect(await spender.audit(cluster, nodes[1])).toEqual(["right"]);
  });
});
