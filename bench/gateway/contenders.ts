import { type ChildProcess, fork, spawn } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { runAnywhere } from "../../src/main/commands/run-anywhere.ts";
import { readSettings } from "../../src/platform/settings/settings.ts";
import { compiled } from "../support/compile.ts";
import type { Measures } from "./clients.ts";

export interface Contender {
  name: string;
  url: string;
  path: string;
  headers: Record<string, string>;
  pid: number;
}

const root = resolve(import.meta.dirname, "../..");
const children: ChildProcess[] = [];
const folders: string[] = [];

export function stopAll(): void {
  for (const child of children) child.kill("SIGTERM");
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
}

/** Runs a program and waits for the line that tells its address. */
async function start(
  args: string[],
  env: Record<string, string>,
  cwd = root,
): Promise<{ url: string; pid: number; output: string }> {
  const child = spawn(process.execPath, args, {
    cwd,
    env: { ...process.env, ...env },
    // Portkey writes its own troubles at length; ours are told by its statuses.
    stdio: ["ignore", "pipe", "ignore"],
  });
  children.push(child);
  let output = "";
  return new Promise((found, fail) => {
    child.once("exit", () => fail(new Error(`${args.join(" ")} ended: ${output}`)));
    child.stdout!.on("data", (bytes: Buffer) => {
      output += bytes.toString();
      const match = /(?:http:\/\/[\w.]+:|port )(\d+)/.exec(output);
      if (match) setTimeout(() => found({ url: `http://127.0.0.1:${match[1]}`, pid: child.pid!, output }), 300);
    });
  });
}

/** The clients, in a process of their own that does nothing else. */
export function startClients(): Measures {
  const child = fork(compiled("bench/gateway/clients.ts"), { serialization: "advanced" });
  children.push(child);
  const ask = <Name extends keyof Measures>(name: Name) =>
    ((contender: Contender, ...rest: unknown[]) =>
      new Promise((resolve, reject) => {
        child.once("message", ({ result, error }: { result: unknown; error?: Error }) =>
          error ? reject(error) : resolve(result),
        );
        const { name: label, url, path, headers, pid } = contender;
        child.send({ name, args: [{ name: label, url, path, headers, pid }, ...rest] });
      })) as Measures[Name];
  return {
    measureThroughput: ask("measureThroughput"),
    measureFirstByte: ask("measureFirstByte"),
    measureStreams: ask("measureStreams"),
  };
}

const script = (file: string) => [compiled(`bench/gateway/${file}`)];

export async function startUpstream(): Promise<Contender> {
  const { url, pid } = await start(script("upstream.ts"), {});
  return { name: "direct", url, path: "/v1/chat/completions", headers: {}, pid };
}

export async function startBareProxy(upstream: string): Promise<Contender> {
  const { url, pid } = await start(script("bare-proxy.ts"), { UPSTREAM: upstream });
  return { name: "bare node:http + undici", url, path: "/v1/chat/completions", headers: {}, pid };
}

export interface Parlance extends Contender {
  readonly dataDir: string;
  admin(command: string, input: object): Promise<unknown>;
}

/** The whole platform with full metering; its log tells only what is wrong, as in production behind a load balancer. Goes on with
 *  the data of one that has ended, where that is given. */
export async function startParlance(upstream: string, earlier?: Parlance): Promise<Parlance> {
  const dataDir = earlier?.dataDir ?? mkdtempSync(join(tmpdir(), "parlance-bench-"));
  if (!earlier) folders.push(dataDir);
  const env = {
    SVC_DATA_DIR: dataDir,
    SVC_PORT: "0",
    SVC_MODELS_PULL: "0",
    SVC_WARM_UP: "0",
    SVC_LOG_LEVEL: "warn",
    SVC_SERVICES: "gateway",
    // The clients, and a thousand requests at once, come from one address.
    SVC_CONNECTIONS_PER_ADDRESS: "2000",
    SVC_GATEWAY_RATE_PER_MINUTE: "1000000",
    SVC_GATEWAY_UPSTREAM_URL: `${upstream}/v1`,
  };
  const { url, pid } = await start([compiled("src/main/cli.ts"), "serve"], env);
  const admin = (command: string, input: object) => runAnywhere(readSettings(env), command, input);
  const started = { name: "parlance", url, path: "/v1/chat/completions", pid, dataDir, admin };
  if (earlier) return { ...started, headers: earlier.headers };
  const wanted = { workspace: "default", name: "bench", scopes: ["all"] };
  const { key } = (await admin("keys create", wanted)) as { key: string };
  await admin("credits grant", { workspace: "default", amount: "100000" });
  return { ...started, headers: { authorization: `Bearer ${key}` } };
}

/** Needs a folder with the package in the versions that work together on Node 20; see run.ts. */
export async function startPortkey(folder: string, upstream: string): Promise<Contender | undefined> {
  const entry = join(folder, "node_modules/@portkey-ai/gateway/build/start-server.js");
  if (!existsSync(entry)) return undefined;
  const port = 18_000 + Math.floor(Math.random() * 1000);
  const { url, pid } = await start([entry, `--port=${port}`, "--headless"], {}, folder).catch(() => ({
    url: "",
    pid: 0,
  }));
  if (!url) return undefined;
  const headers = {
    "x-portkey-provider": "openai",
    "x-portkey-custom-host": `${upstream}/v1`,
    authorization: "Bearer x",
  };
  return {
    name: "@portkey-ai/gateway 1.15.2",
    url: `http://127.0.0.1:${port}`,
    path: "/v1/chat/completions",
    headers,
    pid,
  };
}
