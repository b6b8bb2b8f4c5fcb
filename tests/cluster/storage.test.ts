import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { call } from "../support/call.ts";
import { type Cluster, type ClusterProcess, startCluster } from "../support/cluster.ts";
import { postgresUrl } from "../support/databases.ts";
import { hasNats } from "../support/nats-server.ts";
import { makeKey } from "../support/run-cli.ts";
import { makeSlowDisk, type SlowDisk } from "../support/slow-disk.ts";
import { type Spender, startSpender } from "../support/spender.ts";

/** Two nodes, the first with its journals on a disk that can stand still, on a PostgreSQL server with a synchronous standby. */
describe.skipIf(!hasNats || !postgresUrl)("a cluster whose storage fails", () => {
  let cluster: Cluster;
  let spender: Spender;
  let nodes: [ClusterProcess, ClusterProcess];
  let disk: SlowDisk | undefined;

  beforeAll(async () => {
    spender = await startSpender();
    disk = makeSlowDisk();
    cluster = await startCluster(spender.env, { hasStandby: true });
    nodes = await Promise.all([cluster.startNode(disk ? { SVC_DATA_DIR: makeFolder(disk) } : {}), cluster.startNode()]);
    spender.key = await makeKey(nodes[1].dataDir, cluster.env);
  });
  afterAll(async () => {
    disk?.thaw();
    await cluster?.close();
    await spender?.close();
    disk?.remove();
  });

  const expectExact = async () => {
    for (const node of nodes) await expect.poll(() => spender.unacknowledged(node), { timeout: 30_000 }).toBe(0);
    expect(await spender.audit(cluster, nodes[1])).toEqual(["right"]);
  };

  it("waits for a disk that stands still, and loses nothing when the node is killed then", async (test) => {
    if (!disk) return test.skip("mounting is not permitted here");
    let isOver = false;
    const load = spender.spendUntil(nodes, () => isOver);
    await expect.poll(() => spender.paid, { timeout: 30_000 }).toBeGreaterThan(20);
    disk.freeze();
    const before = spender.paid;
    // The other node does not notice.
    await expect.poll(() => spender.paid, { timeout: 30_000 }).toBeGreaterThan(before + 20);
    disk.thaw();
    await sleep(200);
    isOver = true;
    expect((await load).map((statuses) => [...statuses])).toEqual([[200], [200]]);
    // What it has acknowledged in the last second is in its journal only.
    await nodes[0].kill();
    nodes[0] = await cluster.startNode({ SVC_DATA_DIR: nodes[0].dataDir });
    await expectExact();
  });

  it("loses nothing when the database server dies and its standby takes over, and no node is started again", async () => {
    let isOver = false;
    const load = spender.spendUntil(nodes, () => isOver);
    const before = spender.paid;
    await expect.poll(() => spender.paid, { timeout: 30_000 }).toBeGreaterThan(before + 20);
    cluster.failOver();
    for (const node of nodes) await expect.poll(() => spender.spend(node), { timeout: 60_000 }).toBe(200);
    isOver = true;
    // Served, or refused with a word about it: never a 500.
    for (const statuses of await load) for (const status of statuses) expect([200, 503]).toContain(status);
    await expectExact();
    // What is written goes to the new server.
    const another = await makeKey(nodes[0].dataDir, cluster.env);
    expect((await call(`${nodes[1].url}/gateway/v1/credits`, { key: another })).status).toBe(200);
  });
});

function makeFolder({ folder }: SlowDisk): string {
  const dataDir = join(folder, "data");
  mkdirSync(dataDir);
  return dataDir;
}
