import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { type NatsServer, startNats } from "./nats-server.ts";
import { type RunningProgram, startCli } from "./run-cli.ts";

const postgresScript = resolve(import.meta.dirname, "../../scripts/postgres-for-tests");

export interface ClusterProcess {
  readonly url: string;
  readonly pid: number;
  readonly dataDir: string;
  /** As a power cut would. */
  kill(): Promise<void>;
  /** As an operator would. */
  end(): Promise<number | null>;
}

export interface Cluster {
  readonly nats: NatsServer;
  readonly databaseUrl: string;
  readonly env: Record<string, string>;
  startNode(env?: Record<string, string>): Promise<ClusterProcess>;
  startWorker(engines: string, env?: Record<string, string>): Promise<ClusterProcess>;
  restartDatabase(): void;
  /** As a power cut would; `restartDatabase` brings it back. */
  killDatabase(): void;
  /** Kills the PostgreSQL server, and makes its standby take over: for a cluster that was started with one. */
  failOver(): void;
  close(): Promise<void>;
}

/** PostgreSQL and NATS of their own, and as many nodes and workers as are asked for, each a process on this machine. */
export async function startCluster(
  env: Record<string, string> = {},
  { hasStandby = false }: { hasStandby?: boolean } = {},
): Promise<Cluster> {
  const folder = mkdtempSync(join(tmpdir(), "parlance-cluster-"));
  execFileSync("chmod", ["755", folder]);
  const postgres = join(folder, "postgres");
  const standby = join(folder, "standby");
  const run = (command: string, place = postgres, ...more: string[]) =>
    execFileSync(postgresScript, [command, place, ...more], { encoding: "utf8" }).trim();
  const primaryUrl = run("start");
  const databaseUrl = hasStandby ? await withStandby(primaryUrl, run("standby", standby, primaryUrl)) : primaryUrl;
  const nats = await startNats();
  const running = new Set<RunningProgram>();
  const shared = {
    SVC_BUS_URL: nats.url,
    SVC_DATABASE_URL: databaseUrl,
    SVC_MASTER_KEY: "of all servers of this cluster, for tests",
    SVC_PORT: "0",
    SVC_LOG_LEVEL: "warn",
    SVC_RATE_PER_MINUTE: "100000",
    ...(process.env.SVC_MODELS_DIR ? { SVC_MODELS_DIR: process.env.SVC_MODELS_DIR } : {}),
    ...env,
  };

  async function start(args: string[], given: Record<string, string>): Promise<ClusterProcess> {
    const dataDir = given.SVC_DATA_DIR ?? mkdtempSync(join(folder, "data-"));
    const program = startCli(args, { ...shared, ...given, SVC_DATA_DIR: dataDir });
    running.add(program);
    const out = await program.seen(/http:\/\/localhost:(\d+)/);
    const port = /http:\/\/localhost:(\d+)/.exec(out)![1];
    const stop = async (signal: NodeJS.Signals) => {
      program.process.kill(signal);
      running.delete(program);
      return (await program.finished).code;
    };
    return {
      url: `http://127.0.0.1:${port}`,
      pid: program.process.pid!,
      dataDir,
      kill: async () => void (await stop("SIGKILL")),
      end: () => stop("SIGTERM"),
    };
  }

  return {
    nats,
    databaseUrl,
    env: shared,
    startNode: (given = {}) => start(["serve"], { SVC_ENGINES: "none", ...given }),
    startWorker: (engines, given = {}) => start(["worker", "--engines", engines], given),
    restartDatabase: () => void run("restart"),
    killDatabase: () => void run("kill"),
    failOver() {
      run("kill");
      run("promote", standby);
    },
    async close() {
      for (const program of running) program.process.kill("SIGKILL");
      await Promise.all([...running].map(({ finished }) => finished));
      await nats.kill();
      run("stop");
      run("stop", standby);
      // A killed process may still write its last lines.
      await sleep(100);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** From now on the server answers a commit when its standby has it too. Returns the address of both. */
async function withStandby(primaryUrl: string, standbyUrl: string): Promise<string> {
  const client = new pg.Client({ connectionString: primaryUrl });
  await client.connect();
  await client.query("ALTER SYSTEM SET synchronous_standby_names = '*'");
  await client.query("SELECT pg_reload_conf()");
  await client.end();
  return primaryUrl.replace(/(?<=@)[^/]*/, (host) => `${host},${new URL(standbyUrl).host}`);
}
