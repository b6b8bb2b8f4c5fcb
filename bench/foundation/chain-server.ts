import { mkdtempSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { z } from "zod";
import { readBearer } from "../../src/accounts/http/guard.ts";
import { mountService } from "../../src/accounts/http/mount-service.ts";
import { createKey } from "../../src/accounts/keys/create-key.ts";
import { createUsageWriter } from "../../src/accounts/usage/usage-writer.ts";
import { createKeyVerifier } from "../../src/accounts/verify-key.ts";
import { createWorkspace } from "../../src/accounts/workspaces.ts";
import { openEmbedded } from "../../src/adapters/database/embedded/open-embedded.ts";
import { migrate } from "../../src/adapters/database/migrate.ts";
import { limitServer } from "../../src/limits/limit-server.ts";
import { MemoryStore } from "../../src/limits/memory-store.ts";
import { SlidingWindow } from "../../src/limits/sliding-window.ts";
import { UnknownKeyLimit } from "../../src/limits/unknown-key-limit.ts";
import { compileNextTick } from "../../src/main/compile-next-tick.ts";
import { systemClock } from "../../src/platform/clock.ts";
import { createHealth } from "../../src/platform/health.ts";
import { createServer } from "../../src/platform/http/create-server.ts";
import { measureRequests } from "../../src/platform/http/metrics.ts";
import { silentLog } from "../../src/platform/log.ts";
import { voiceDialect } from "../../src/voice/dialect.ts";

compileNextTick();
/** The product's own chain, database and books around a route that does nothing. */
const dataDir = mkdtempSync(join(tmpdir(), "parlance-chain-"));
const database = await openEmbedded(join(dataDir, "db"));
await migrate(database);
const { queries } = database;
const { id: workspaceId } = await createWorkspace(queries, "bench");
const { key } = await createKey(queries, { workspaceId, name: "bench", scopes: ["chat"] });
const app = await createServer({
  edgeUploadBytes: 4.5e6,
  corsOrigins: "*",
  trustedProxies: undefined,
});
const limits = { bufferedBytes: 256e6, connectionsPerAddress: 10_000, connections: 0, trustedProxies: undefined };
limitServer(app, limits, silentLog);
measureRequests(app);
const trivial = z.object({ note: z.string().max(1000), count: z.number().int().default(1) });
const health = createHealth(silentLog);
await mountService(
  app,
  {
    name: "voice",
    base: "",
    baseWhenAlone: "",
    dialect: voiceDialect,
    policy: {
      readKey: readBearer,
      howToSendKey: "",
      window: new SlidingWindow(new MemoryStore(60_000, systemClock)),
      limitFor: () => 10_000_000,
      strangersLimit: 10_000_000,
    },
    api: {
      title: "trivial",
      description: "",
      security: { bearer: true },
      reference: { guide: "", tags: {}, routes: {}, named: {} },
    },
    addRoutes(scoped) {
      scoped.post("/trivial", { config: { scope: "chat" }, schema: { body: trivial } }, async (request) => ({
        object: "trivial",
        count: request.body.count,
        length: request.body.note.length,
      }));
    },
  },
  {
    health,
    unknown: new UnknownKeyLimit(systemClock),
    verifier: createKeyVerifier(queries, systemClock),
    usage: await createUsageWriter(queries, dataDir, silentLog, health),
    log: silentLog,
    publicUrl: "http://localhost",
    isAlone: true,
  },
);
await app.listen({ port: 0, host: "127.0.0.1" });
console.log(`listening on http://127.0.0.1:${(app.server.address() as AddressInfo).port} ${key}\n`);
