import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runAnywhere } from "../../src/main/commands/run-anywhere.ts";
import { beginOpening } from "../../src/main/infrastructure.ts";
import { type RunningServer, serve } from "../../src/main/serve.ts";
import { createLog } from "../../src/platform/log.ts";
import { readSettings, type Settings } from "../../src/platform/settings/settings.ts";
import { fewThreads } from "./run-cli.ts";
import { shareEngines } from "./share-engines.ts";

export interface TestServer {
  url: string;
  settings: Settings;
  dataDir: string;
  /** A key of the workspace that the first start made, with every scope. */
  key: string;
  /** An admin command, through the server's own socket. */
  admin<Result>(command: string, input: object): Promise<Result>;
  /** A key with these scopes, in the default workspace unless another is named. */
  newKey(
    scopes: string[],
    options?: { workspace?: string; ratePerMinute?: number; tokensPerMinute?: number; models?: string[] },
  ): Promise<{ id: string; key: string }>;
  close(): Promise<void>;
}

/** A whole server in this process, on any free port, with a data folder of its own and engines that it shares with the servers
 *  before and after it. */
export async function startServer(env: Record<string, string> = {}): Promise<TestServer> {
  const dataDir = env.SVC_DATA_DIR ?? mkdtempSync(join(tmpdir(), "parlance-"));
  const settings = readSettings({
    SVC_PORT: "0",
    SVC_LOG_LEVEL: "silent",
    SVC_MODELS_PULL: "0",
    SVC_WARM_UP: "0",
    SVC_RATE_PER_MINUTE: "100000",
    ...fewThreads,
    ...(process.env.SVC_MODELS_DIR ? { SVC_MODELS_DIR: process.env.SVC_MODELS_DIR } : {}),
    ...env,
    SVC_DATA_DIR: dataDir,
  });
  const log = createLog(settings.log);
  const server: RunningServer = await serve(settings, log, beginOpening(settings, log), shareEngines);
  const admin = async <Result>(command: string, input: object) =>
    (await runAnywhere(settings, command, input)) as Result;
  return {
    url: `http://127.0.0.1:${server.port}`,
    settings,
    dataDir,
    key: (await server.createFirstKey()) ?? "",
    admin,
    newKey: (scopes, options = {}) => admin("keys create", { workspace: "default", name: "test", scopes, ...options }),
    async close() {
      await server.close();
      if (!env.SVC_DATA_DIR) rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
