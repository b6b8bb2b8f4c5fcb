import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
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
  close(): Promise<void>;
}

/** PostgreSQL and NATS of their own, and as many nodes and workers as are asked for, each a process on this machine. */
export async function startCluster(env: Record<string, string> = {}): Promise<Cluster> {
  const folder = mkdtempSync(join(tmpdir(), "parlance-cluster-"));
  execFileSync("chmod", ["755", folder]);
  const postgres = join(folder, "postgres");
  const run = (command: string) => execFileSync(postgresScript, [command, postgres], { encoding: "utf8" }).trim();
  const databaseUrl = run("start");
  const nats = await startNats();
  const running = new Set<RunningProgram>();
  const shared = {
    SVC_BUS_URL: nats.url,
    SVC_DATABASE_URL: databaseUrl,
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
    async close() {
      for (const program of running) program.process.kill("SIGKILL");
      await Promise.all([...running].map(({ finished }) => finished));
      await nats.kill();
      run("stop");
      // A killed process may still write its last lines.
      await sleep(100);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
