import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { call } from "../support/call.ts";
import { makeKey, type RunningProgram, runCli, startCli } from "../support/run-cli.ts";

export interface HostileServer {
  readonly url: string;
  readonly key: string;
  readonly dataDir: string;
  readonly pid: number;
  /** Ends and starts it again on the same data. */
  restart(signal?: NodeJS.Signals): Promise<void>;
  /** How many requests the database knows of, once all are written down. */
  countUsage(): Promise<number>;
  stop(): Promise<void>;
}

/** A server in a process of its own, because the worst that can happen to it is to end. Without models: what is tried here must be
 *  refused before any engine is asked, and engines that are missing answer at once. */
export async function startHostile(env: Record<string, string> = {}): Promise<HostileServer> {
  const folder = mkdtempSync(join(tmpdir(), "parlance-hostile-"));
  const dataDir = env.SVC_DATA_DIR ?? join(folder, "data");
  const settings = {
    SVC_MODELS_DIR: join(folder, "models"),
    SVC_LOG_LEVEL: "warn",
    SVC_RATE_PER_MINUTE: "100000",
    SVC_GATEWAY_RATE_PER_MINUTE: "100000",
    SVC_EXTRACTION_ENTERPRISE_PER_HOUR: "1000000",
    ...env,
    SVC_DATA_DIR: dataDir,
  };
  let running: RunningProgram;
  let url = "";
  await start();
  const key = await makeKey(dataDir, env);
  await admin("workspaces", "set-plan", "default", "--extraction", "Enterprise");

  async function start(): Promise<void> {
    running = startCli(["serve", "--port", "0"], settings);
    const out = await running.seen(/listening on \S+/);
    url = /listening on (\S+)/.exec(out)![1]!.replace("localhost", "127.0.0.1");
  }

  async function admin(...args: string[]): Promise<string> {
    return (await runCli(args, { ...env, SVC_DATA_DIR: dataDir })).out;
  }

  async function end(signal: NodeJS.Signals): Promise<void> {
    running.process.kill(signal);
    await running.finished;
  }

  return {
    get url() {
      return url;
    },
    get pid() {
      return running.process.pid!;
    },
    key,
    dataDir,
    async restart(signal = "SIGTERM") {
      await end(signal);
      await start();
    },
    async countUsage() {
      const rows = JSON.parse(await admin("usage", "--workspace", "default", "--json")) as { requests: number }[];
      return rows.reduce((sum, { requests }) => sum + requests, 0);
    },
    async stop() {
      await end("SIGTERM");
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Alive, and what is asked of it next is served and written down. */
export async function isWell(server: HostileServer): Promise<boolean> {
  const before = await server.countUsage();
  const health = await call(`${server.url}/healthz`);
  const voices = await call(`${server.url}/v1/voices`, { key: server.key });
  return health.status === 200 && voices.status === 200 && (await server.countUsage()) > before;
}
