import { expect, it } from "vitest";
import { call } from "../support/call.ts";
import { createPostgresDatabase, postgresUrl } from "../support/databases.ts";
import { sendJson, startFakeUpstream } from "../support/fake-upstream.ts";
import { startGatewayServer } from "../support/gateway-server.ts";

it.skipIf(!postgresUrl)("videos are paid once, whichever server goes on with them", async () => {
  const upstream = await startFakeUpstream();
  const database = await createPostgresDatabase();
  const env = {
    SVC_DATABASE_URL: database.url,
    SVC_ENGINES: "none",
    SVC_GATEWAY_UPSTREAM_URL: upstream.url,
    SVC_GATEWAY_UPSTREAM_KIND: "openrouter",
  };
  const servers = [await startGatewayServer(env), await startGatewayServer(env)] as const;
  let started = 0;
  upstream.on("/v1/videos", (_request, response) => {
    sendJson(response, { id: `job-${++started}`, status: "pending" }, 202);
  });
  for (let n = 1; n <= 6; n++)
    upstream.on(`/v1/videos/job-${n}`, (_request, response) => {
      sendJson(response, {
        id: `job-${n}`,
        status: "completed",
        unsigned_urls: [`https://v/${n}`],
        usage: { cost: 0.1 },
      });
    });
  // Each holds most of a dollar and costs 0.12: a second hold for the same video would find too little.
  const { key, name } = await servers[0].newAccount("2");
  const json = { model: "acme/video", prompt: "a dog", duration: 4 };
  for (let n = 0; n < 6; n++) {
    const asked = await call(`${servers[0].base}/videos/generations`, {
      key,
      json,
      headers: { prefer: "respond-async" },
    });
    expect([asked.status, asked.json.status]).toEqual([202, "queued"]);
    const look = () => call(`${servers[1].base}/videos/generations/${asked.json.id}`, { key });
    await expect.poll(async () => (await look()).json.status, { timeout: 60_000 }).not.toMatch(/queued|running/);
    expect((await look()).json).toMatchObject({ status: "completed" });
  }
  await expect.poll(() => servers[1].balance(key), { timeout: 20_000 }).toBe("1.28");
  const accounts = await servers[0].admin<{ workspace: string; verdict: string; leased: string }[]>(
    "credits audit",
    {},
  );
  expect(accounts.find(({ workspace }) => workspace === name)).toMatchObject({ verdict: "right" });
  for (const server of servers) await server.close();
  await database.drop();
  await upstream.close();
});
