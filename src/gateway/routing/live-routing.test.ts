import { afterAll, beforeAll, expect, it } from "vitest";
import { openTestDatabase } from "../../../tests/support/databases.ts";
import { createMemoryBus } from "../../adapters/bus/memory-bus.ts";
import { systemClock } from "../../platform/clock.ts";
import { silentLog } from "../../platform/log.ts";
import type { Database } from "../../ports/database.ts";
import type { UpstreamClient } from "../../ports/model-upstream.ts";
import { addUpstreamKey, setUpstream } from "./change-routing.ts";
import { type LiveRouting, openLiveRouting } from "./live-routing.ts";
import { upstreamFields } from "./schema.ts";

let database: Database;
const servers: LiveRouting[] = [];
beforeAll(async () => {
  database = await openTestDatabase("embedded");
});
afterAll(async () => {
  for (const server of servers) await server.close();
  await database.close();
});

const bus = createMemoryBus();
const secrets = {
  seal: (_purpose: string, secret: string) => `sealed ${secret}`,
  open: (_purpose: string, sealed: string) => (sealed === "sealed lost" ? undefined : sealed.slice(7)),
};
async function openServer(): Promise<LiveRouting> {
  const server = await openLiveRouting({
    queries: database.queries,
    secrets,
    clock: systemClock,
    log: silentLog,
    seed: { addresses: [], aliases: [] },
    silenceMs: 1_000,
    openClient: async ({ origin }) => ({ origin, ask: () => Promise.reject(), async close() {} }) as UpstreamClient,
    cluster: { bus, name: "test" },
    isShared: true,
  });
  servers.push(server);
  return server;
}

const fields = upstreamFields.parse({ url: "https://one.example/v1" });

it("what is changed on one server is so on the others, whose requests keep what they began with", async () => {
  const one = await openServer();
  const other = await openServer();
  const before = other.table;
  await setUpstream(database.queries, "one", fields);
  await one.changed();
  await expect.poll(() => other.table.upstreams.map(({ name }) => name)).toEqual(["one"]);
  expect(before.upstreams).toEqual([]);
});

it("what was known about a key outlives a change, and a key of another installation is left out", async () => {
  const server = await openServer();
  for (const key of ["first", "lost"]) {
    const given = { key, name: "", requestsPerMinute: 5 };
    await addUpstreamKey(database.queries, secrets, { upstream: "one", fields: given, known: [] });
  }
  await server.changed();
  const [before] = server.table.upstreams;
  await setUpstream(database.queries, "one", { ...fields, weight: 3 });
  await server.changed();
  const [after, ...others] = server.table.upstreams;
  expect([after!.key, after!.weight, others]).toEqual(["first", 3, []]);
  expect(after!.breakers).toBe(before!.breakers);
  expect(after!.allowance).toBe(before!.allowance);
});
