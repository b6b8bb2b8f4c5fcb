import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

export const RELAY_SECRET = "north-of-the-river";

/** Why there can be no relay here; undefined when there can. */
export function whyNoRelay(): string | undefined {
  return spawnSync("turnserver", ["--version"]).error ? "there is no coturn (apt-get install coturn)" : undefined;
}

export interface Relay {
  readonly port: number;
  close(): void;
}

/** A coturn on this machine, or in another network of it. */
export async function startRelay(
  address: string,
  { prefix = [] as string[], port = 0, more = [] as string[] } = {},
): Promise<Relay> {
  const folder = mkdtempSync(join(tmpdir(), "parlance-relay-"));
  const listening = port || (await freePort());
  const [command = "turnserver", ...before] = [...prefix, "turnserver"];
  const child: ChildProcess = spawn(
    command,
    [
      ...before,
      "-n",
      "--listening-ip",
      address,
      "--relay-ip",
      address,
      "--listening-port",
      String(listening),
      "--realm",
      "parlance.test",
      "--use-auth-secret",
      "--static-auth-secret",
      RELAY_SECRET,
      "--fingerprint",
      "--no-cli",
      "--no-tls",
      "--no-dtls",
      "--no-multicast-peers",
      ...(address.startsWith("127.") ? ["--allow-loopback-peers"] : []),
      ...more,
      "--userdb",
      join(folder, "db"),
      "--pidfile",
      join(folder, "pid"),
      "--log-file",
      "stdout",
      "--simple-log",
    ],
    { stdio: ["ignore", "pipe", "pipe"] },
  );
  await new Promise<void>((resolve, reject) => {
    let said = "";
    const timer = setTimeout(() => reject(new Error(`coturn did not start: ${said}`)), 30_000);
    const watch = (text: Buffer) => {
      said += text;
      if (!/listener opened on|Total General servers/i.test(said)) return;
      clearTimeout(timer);
      resolve();
    };
    child.stdout?.on("data", watch);
    child.stderr?.on("data", watch);
    child.once("exit", () => reject(new Error(`coturn ended: ${said}`)));
  });
  return {
    port: listening,
    close() {
      child.kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function freePort(): Promise<number> {
  const probe = createServer();
  return new Promise((resolve) => {
    probe.listen(0, "127.0.0.1", () => {
      const { port } = probe.address() as { port: number };
      probe.close(() => resolve(port));
    });
  });
}
