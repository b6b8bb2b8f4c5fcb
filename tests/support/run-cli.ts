import { type ChildProcess, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";

const root = resolve(import.meta.dirname, "../..");

export interface Finished {
  code: number | null;
  out: string;
  err: string;
}

/** ./test builds before it tests; without a build the sources do, only slower. */
const built = join(root, "dist", "main", "cli.js");
const program = existsSync(built) ? [built] : ["--import", "tsx", "src/main/cli.ts"];

/** Beside two other workers of the suite, two threads that wait for each other take twice as long as one (3 sentences of Kokoro on
 *  two busy cores: 27 and 30 s, with one thread 14 and 21 s). */
export const fewThreads = { SVC_ENGINE_THREADS: "1" };

export interface RunningProgram {
  process: ChildProcess;
  finished: Promise<Finished>;
  seen(pattern: RegExp): Promise<string>;
}

/** `parlance ...` as a script would call it; `prefix` is a program that runs it. */
export function startCli(args: string[], env: Record<string, string> = {}, prefix: string[] = []): RunningProgram {
  const quiet = { SVC_MODELS_PULL: "0", SVC_WARM_UP: "0", ...fewThreads };
  return startProgram([...prefix, process.execPath, ...program, ...args], { ...quiet, ...env });
}

export function startProgram([command, ...args]: string[], env: Record<string, string> = {}): RunningProgram {
  const child = spawn(command!, args, {
    cwd: root,
    env: { PATH: process.env.PATH ?? "", HOME: process.env.HOME ?? "", ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let out = "";
  let err = "";
  const watchers = new Set<() => void>();
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    out += text;
    for (const look of watchers) look();
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    err += text;
  });
  const finished = new Promise<Finished>((done) => child.once("close", (code) => done({ code, out, err })));
  return {
    process: child,
    finished,
    seen: (pattern) =>
      new Promise((found, lost) => {
        const look = () => {
          if (!pattern.test(out)) return;
          watchers.delete(look);
          found(out);
        };
        watchers.add(look);
        look();
        void finished.then(() => lost(new Error(`ended without ${pattern}: ${out}${err}`)));
      }),
  };
}

/** A key with every scope, made as a person makes one. */
export async function makeKey(
  dataDir: string,
  env: Record<string, string> = {},
  workspace = "default",
): Promise<string> {
  const wanted = ["--workspace", workspace, "--name", "test", "--scopes", "all", "--json"];
  const { code, out, err } = await runCli(["keys", "create", ...wanted], { ...env, SVC_DATA_DIR: dataDir });
  if (code !== 0) throw new Error(err);
  return (JSON.parse(out) as { key: string }).key;
}

export function runCli(args: string[], env: Record<string, string> = {}): Promise<Finished> {
  return startCli(args, env).finished;
}
