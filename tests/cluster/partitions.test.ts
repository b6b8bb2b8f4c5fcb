import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { call, form } from "../support/call.ts";
import { type Cluster, type ClusterProcess, startCluster } from "../support/cluster.ts";
import { postgresUrl } from "../support/databases.ts";
import { type Forwarder, startForwarder } from "../support/forwarder.ts";
import { hasNats } from "../support/nats-server.ts";
import { makeKey, runCli } from "../support/run-cli.ts";
import { type Spender, startSpender } from "../support/spender.ts";

/** Two nodes and two workers. The ways of the first of each to NATS, and of the first node to PostgreSQL, can be broken. */
describe.skipIf(!hasNats || !postgresUrl)("a cluster whose network breaks", () => {
  let cluster: Cluster;
  let spender: Spender;
  let nodes: ClusterProcess[];
  let ways: { nodeToNats: Forwarder; workerToNats: Forwarder; nodeToPostgres: Forwarder };

  beforeAll(async () => {
    spender = await startSpender();
    cluster = await startCluster(spender.env);
    const to = (url: string) => startForwarder(Number(new URL(url).port));
    const { url: nats } = cluster.nats;
    ways = { nodeToNats: await to(nats), workerToNats: await to(nats), nodeToPostgres: await to(cluster.databaseUrl) };
    const over = (way: Forwarder, url: string) => url.replace(/:\d+/, `:${way.port}`);
    const started = await Promise.all([
      cluster.startNode({
        SVC_BUS_URL: over(ways.nodeToNats, nats),
        SVC_DATABASE_URL: over(ways.nodeToPostgres, cluster.databaseUrl),
      }),
      cluster.startNode(),
      cluster.startWorker("extraction", { SVC_BUS_URL: over(ways.workerToNats, nats) }),
      cluster.startWorker("extraction"),
    ]);
    nodes = started.slice(0, 2);
    const { dataDir } = nodes[0]!;
    spender.key = await makeKey(dataDir, cluster.env);
    await runCli(["workspaces", "set-plan", "default", "--extraction", "Enterprise"], {
      ...cluster.env,
      SVC_DATA_DIR: dataDir,
    });
    await Promise.all(Array.from({ length: 4 }, (_, i) => extract(nodes[i % 2]!)));
  });
  afterEach(() => {
    for (const way of Object.values(ways)) way.heal();
  });
  afterAll(async () => {
    await cluster?.close();
    await spender?.close();
    for (const way of Object.values(ways ?? {})) await way.close();
  });

  const extract = async (node: ClusterProcess) => {
    const body = form({ file: new Blob(["Invoice number: 7\nTotal: 10.00 EUR\n"]) });
    const { status, json } = await call(`${node.url}/extraction/v1/extract`, { key: spender.key, body });
    return status === 200 ? json.data.invoice_number : `${status} ${JSON.stringify(json)}`;
  };
  const extractMuch = () => Promise.all(Array.from({ length: 8 }, (_, i) => extract(nodes[i % 2]!)));

  it.each(["cut", "stall"] as const)("answers everything while a worker is off from NATS (%s)", async (how) => {
    const replies = extractMuch();
    ways.workerToNats[how]();
    expect(await replies).toEqual(Array(8).fill("7"));
    expect(await extractMuch()).toEqual(Array(8).fill("7"));
  });

  it.each(["cut", "stall"] as const)("goes on while a node is off from NATS (%s), and it comes back", async (how) => {
    ways.nodeToNats[how]();
    // What needs no worker needs no NATS, and documents are done by the other node, or once the way is back.
    expect(await spender.spend(nodes[0]!)).toBe(200);
    expect(await extract(nodes[1]!)).toBe("7");
    const waiting = extract(nodes[0]!);
    await sleep(1000);
    ways.nodeToNats.heal();
    expect(await waiting).toBe("7");
    await expect.poll(() => extract(nodes[0]!), { timeout: 30_000 }).toBe("7");
  });

  it.each(["cut", "stall"] as const)("charges once while a node is off from PostgreSQL (%s)", async (how) => {
    let isOver = false;
    const load = spender.spendUntil(nodes, () => isOver);
    ways.nodeToPostgres[how]();
    await expect
      .poll(async () => (await call(`${nodes[0]!.url}/readyz`)).json.status, { timeout: 60_000 })
      .toBe("unavailable");
    // Nobody waits for the kernel, which would go on trying for a quarter of an hour.
    const { status } = await call(`${nodes[0]!.url}/extraction/v1/extractions`, { key: spender.key });
    expect(status).toBe(503);
    ways.nodeToPostgres.heal();
    isOver = true;
    const [cutOff, other] = await load;
    for (const status of cutOff!) expect([200, 503]).toContain(status);
    expect([...other!]).toEqual([200]);
    await expect.poll(() => spender.spend(nodes[0]!), { timeout: 30_000 }).toBe(200);
    await expect.poll(() => spender.unacknowledged(nodes[1]!), { timeout: 30_000 }).toBe(0);
    expect(await spender.audit(cluster, nodes[1]!)).toEqual(["right"]);
  });
});
