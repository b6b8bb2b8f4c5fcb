import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runAnywhere } from "../../src/main/commands/run-anywhere.ts";
import { readSettings } from "../../src/platform/settings/settings.ts";

export interface ChildServer {
  url: string;
  key: string;
  dataDir: string;
  startedMs: number;
  process: ChildProcess;
  rssMb(): number;
  stop(signal?: NodeJS.Signals): Promise<void>;
}

/** The built server as a process of its own, so that a benchmark does not measure itself. */
export async function startChildServer(
  env: Record<string, string> = {},
  dataDir = mkdtempSync(join(tmpdir(), "parlance-bench-")),
): Promise<ChildServer> {
  if (!existsSync("dist/main/cli.js")) throw new Error("Build first: npm run build");
  const began = performance.now();
  const child = spawn(process.execPath, ["dist/main/cli.js", "serve", "--port", "0"], {
    env: {
      ...process.env,
      SVC_MODELS_PULL: "0",
      SVC_WARM_UP: "0",
      SVC_LOG_LEVEL: "error",
      SVC_DATA_DIR: dataDir,
      ...env,
    },
    stdio: ["ignore", "pipe", "inherit"],
  });
  let out = "";
  await new Promise<void>((resolve, reject) => {
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      out += text;
      if (/listening on \S+/.test(out)) resolve();
    });
    child.once("exit", () => reject(new Error(`the server ended: ${out}`)));
  });
  const startedMs = performance.now() - began;
  const wanted = { workspace: "default", name: "bench", scopes: ["all"] };
  const { key } = (await runAnywhere(readSettings({ SVC_DATA_DIR: dataDir, ...env }), "keys create", wanted)) as {
    key: string;
  };
  const exited = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  return {
    url: /listening on (\S+)/.exec(out)![1]!.replace("localhost", "127.0.0.1"),
    key,
    dataDir,
    startedMs,
    process: child,
    rssMb: () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, "utf8"))![1]) / 1024,
    async stop(signal = "SIGTERM") {
      child.kill(signal);
      await exited;
    },
  };
}
