import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { connect, createServer } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

/** Debian's nats-server, where it is installed; ./test installs it where it may. */
export const hasNats = isInstalled();
if (!hasNats)
  console.warn("nats-server is not installed (apt-get install nats-server): the tests of clusters are left out.");

export interface NatsServer {
  readonly url: string;
  readonly pid: number;
  /** As a power cut would. */
  kill(): Promise<void>;
  /** At the same address as before. */
  start(): Promise<void>;
}

export async function startNats(): Promise<NatsServer> {
  const port = await freePort();
  let server: ChildProcess | undefined;
  const start = async () => {
    server = spawn("nats-server", ["-a", "127.0.0.1", "-p", String(port)], {
      stdio: "ignore",
      env: { PATH: `${process.env.PATH}:/usr/sbin` },
    });
    while (!(await answers(port))) await sleep(20);
  };
  await start();
  return {
    url: `nats://127.0.0.1:${port}`,
    get pid() {
      return server!.pid!;
    },
    start,
    async kill() {
      if (!server || server.exitCode !== null || server.signalCode !== null) return;
      server.kill("SIGKILL");
      await once(server, "exit");
    },
  };
}

function isInstalled(): boolean {
  try {
    execFileSync("nats-server", ["--version"], { stdio: "ignore", env: { PATH: `${process.env.PATH}:/usr/sbin` } });
    return true;
  } catch {
    return false;
  }
}

export async function freePort(): Promise<number> {
  const probe = createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const { port } = probe.address() as AddressInfo;
  await new Promise((resolve) => probe.close(resolve));
  return port;
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    const finish = (isThere: boolean) => {
      socket.destroy();
      resolve(isThere);
    };
    socket.once("connect", () => finish(true));
    socket.once("error", () => finish(false));
  });
}
