import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { processName } from "../../src/platform/journal-files.ts";
import { call, form } from "../support/call.ts";
import { makePdf } from "../support/make-pdf.ts";
import { runCli } from "../support/run-cli.ts";
import { type HostileServer, isWell, startHostile } from "./hostile-server.ts";

/** POSTGRES_RESTARTS=20 for more. */
const restarts = Number(process.env.POSTGRES_RESTARTS ?? 3);

/** Documents that are read side by side, as src/main/extraction-engines.ts has it. */
const readers = Math.max(2, Math.min(6, availableParallelism()));

const voices = (server: HostileServer) => call(`${server.url}/v1/voices`, { key: server.key });
const becomes = (server: HostileServer, status: number) =>
  vi.waitFor(async () => expect((await voices(server)).status).toBe(status), { timeout: 60_000, interval: 200 });

describe("a start that finds journals of other processes", () => {
  let server: HostileServer;
  let before = 0;
  const usage = (name: string) => join(server.dataDir, "usage", name);
  const credits = (name: string) => join(server.dataDir, "credits", name);
  // As a killed process leaves them; no process has such a number.
  const lost = { usage: "99999999.1-1-usage_lost.ndjson", charges: "99999999.1-1-1-run_lost.ndjson" };
  // This process runs, and did not begin with the machine.
  const orphaned = `${process.pid}.1-1-usage_orphaned.ndjson`;
  const inUse = `${processName()}-1-usage_other.ndjson`;

  beforeAll(async () => {
    server = await startHostile();
    await voices(server);
    const { workspaceId, keyId } = await findIds(server);
    const at = Date.now();
    const record = { workspaceId, keyId, service: "voice", route: "GET /x", status: 200, at, durationMs: 1 };
    const lines = [
      { ...record, status: 9e12 },
      { ...record, model: "a\u0000b" },
      { ...record, inputTokens: 5e12 },
      record,
    ];
    const charge = { t: "charge", id: "gr_1", at, amount: "5", workspaceId, figures: "1,1,5" };
    const about = { keyId, endpoint: "e", model: "a/b", provider: "a", upstream: "u", costSource: "reported" };
    const charges = [
      { t: "run", owner: "run_lost" },
      { ...charge, position: 1, about: { ...about, model: "x\u0000" } },
      { ...charge, position: 2, id: "gr_2", about, figures: "5000000000000,99999999999999999999999,5" },
      { ...charge, position: 3, id: "gr_3", about },
      { ...charge, position: 4, id: "gr_4", amount: "not a number", about },
    ];
    before = await server.countUsage();
    writeFileSync(usage(lost.usage), inLines(lines));
    writeFileSync(credits(lost.charges), inLines(charges));
    for (const name of [orphaned, inUse]) writeFileSync(usage(name), inLines([record]));
    await server.restart();
  });
  afterAll(() => server.stop());

  it("works, and brings in every record that a database takes, also of a process whose number another one has now", async () => {
    expect(await server.countUsage()).toBe(before + 3 + 1);
    expect(existsSync(usage(orphaned))).toBe(false);
    expect(await isWell(server)).toBe(true);
  });

  it("keeps the records and charges that no database takes in a file of their own", async () => {
    expect(readFileSync(usage("quarantine.ndjson"), "utf8")).toContain("9000000000000");
    expect(readFileSync(credits("quarantine.ndjson"), "utf8")).toContain("gr_1");
    expect(existsSync(credits(lost.charges))).toBe(false);
    const audit = await runCli(["credits", "audit", "--json"], { SVC_DATA_DIR: server.dataDir });
    expect(JSON.parse(audit.out)).toMatchObject([{ verdict: "right" }]);
  });

  it("leaves a journal alone that a running process still writes", () => {
    expect(existsSync(usage(inUse))).toBe(true);
  });
});

describe("a document reader", () => {
  it("that is killed from outside is the server's failure and not the file's, in the service's own shape", async () => {
    const server = await startHostile();
    onTestFinished(() => server.stop());
    const killing = setInterval(() => killChildren(server.pid, "reader-child"), 20);
    onTestFinished(() => clearInterval(killing));
    const body = form({ file: new File(["Invoice 17\n".repeat(5000)], "a.txt", { type: "text/plain" }) });
    const { status, json } = await call(`${server.url}/extraction/v1/extract?wait=60`, { key: server.key, body });
    expect({ status, type: json.error.type }).toEqual({ status: 502, type: "upstream_error" });
    clearInterval(killing);
    expect(await isWell(server)).toBe(true);
  });

  it("that is killed takes no document along: each is read once more, and all eight are answered", async () => {
    const server = await startHostile();
    onTestFinished(() => server.stop());
    const numbers = ["A-1", "A-2", "A-3", "A-4", "A-5", "A-6", "A-7", "A-8"];
    const answers = Promise.all(
      numbers.map(async (number) => {
        const file = new File([new Uint8Array(longInvoice(number))], "a.pdf", { type: "application/pdf" });
        const url = `${server.url}/extraction/v1/extract?wait=120`;
        const { status, json } = await call(url, { key: server.key, body: form({ file }) });
        return [status, json.status, json.data?.invoice_number ?? json];
      }),
    );
    // Once for all that is being read, at every moment of which some are read for the first time: no second try is among them.
    const killed = new Set<number>();
    for (let round = 0; round < Math.floor(numbers.length / readers); round++) {
      const busy = () =>
        childrenOf(server.pid, "reader-child").filter(({ pid, ticks }) => ticks > 5 && !killed.has(pid));
      await vi.waitFor(() => expect(busy()).not.toEqual([]), { timeout: 60_000, interval: 20 });
      for (const pid of killChildren(server.pid, "reader-child")) killed.add(pid);
    }
    expect(await answers).toEqual(numbers.map((number) => [200, "completed", number]));
  });
});

describe("a full disk", () => {
  it.for([
    ["bytes", "size=96m", fillBytes],
    ["files", "size=512m,nr_inodes=3000", fillFiles],
  ] as const)(
    "without room for %s makes the server refuse, not end, and it goes on by itself later",
    async ([, options, fill], test) => {
      const disk = mkdtempSync(join(tmpdir(), "parlance-disk-"));
      try {
        execFileSync("mount", ["-t", "tmpfs", "-o", options, "tmpfs", disk], { stdio: "ignore" });
      } catch {
        test.skip("mounting is not permitted here");
      }
      onTestFinished(() => {
        execFileSync("umount", ["-l", disk]);
        rmSync(disk, { recursive: true });
      });
      const server = await startHostile({ SVC_DATA_DIR: join(disk, "data") });
      onTestFinished(() => server.stop());
      let served = 0;
      await voices(server);
      served += 1;
      fill(join(disk, "filler"));
      for (let n = 0; n < 200; n++) {
        const { status } = await voices(server);
        if (status === 200) served += 1;
        else expect(status).toBe(503);
      }
      await becomes(server, 503);
      const ready = await call(`${server.url}/readyz`);
      expect([ready.status, ready.json.status]).toEqual([503, "unavailable"]);
      expect((await call(`${server.url}/healthz`)).status).toBe(200);
      expect((await voices(server)).headers.get("retry-after")).toMatch(/^\d+$/);
      rmSync(join(disk, "filler"), { recursive: true });
      await becomes(server, 200);
      await vi.waitFor(async () => expect(await server.countUsage()).toBeGreaterThanOrEqual(served + 1), {
        timeout: 30_000,
        interval: 1000,
      });
      await server.restart();
      expect(await isWell(server)).toBe(true);
    },
  );
});

describe("a PostgreSQL server that restarts", () => {
  it("is waited for: requests say 503 meanwhile, and nothing that was served is missing afterwards", async (test) => {
    const script = resolve(import.meta.dirname, "../../scripts/postgres-for-tests");
    const folder = mkdtempSync(join(tmpdir(), "parlance-postgres-"));
    execFileSync("chmod", ["755", folder]);
    const postgres = (command: string) =>
      execFileSync(script, [command, join(folder, "pg")], {
        encoding: "utf8",
        stdio: ["ignore", "pipe", "ignore"],
      }).trim();
    let url = "";
    try {
      url = postgres("start");
    } catch {
      test.skip("PostgreSQL is not installed");
    }
    onTestFinished(() => {
      postgres("stop");
      rmSync(folder, { recursive: true, force: true });
    });
    const server = await startHostile({ SVC_DATABASE_URL: url });
    onTestFinished(() => server.stop());
    let served = 0;
    let isOver = false;
    const load = (async () => {
      while (!isOver) {
        const { status } = await voices(server);
        if (status === 200) served += 1;
        else expect([503, 500]).toContain(status);
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
    })();
    for (let round = 0; round < restarts; round++) {
      await becomes(server, 200);
      served += 1;
      postgres("restart");
    }
    await becomes(server, 200);
    isOver = true;
    await load;
    await vi.waitFor(async () => expect(await server.countUsage()).toBeGreaterThanOrEqual(served), {
      timeout: 30_000,
      interval: 1000,
    });
  });
});

/** With enough on its page to be read for a while. */
function longInvoice(number: string): Buffer {
  const words = Array.from({ length: 3000 }, (_, n) => [0.1 + (n % 9) / 10, 0.3 + n / 5000, "ordinary words"] as const);
  return makePdf([[0.75, 0.05, "INVOICE"], [0.55, 0.12, "Invoice No."], [0.82, 0.12, number], ...words]);
}

interface Child {
  readonly pid: number;
  /** Processor time so far, in hundredths of a second. */
  readonly ticks: number;
}

/** The processes whose parent is this one and whose program has this name. */
function childrenOf(parent: number, program: string): Child[] {
  return readdirSync("/proc").flatMap((name) => {
    try {
      const stat = readFileSync(`/proc/${Number(name)}/stat`, "utf8");
      const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
      const isOne = Number(fields[1]) === parent && readFileSync(`/proc/${name}/cmdline`, "utf8").includes(program);
      return isOne ? [{ pid: Number(name), ticks: Number(fields[11]) + Number(fields[12]) }] : [];
    } catch {
      // No process, or one that has ended by itself.
      return [];
    }
  });
}

function killChildren(parent: number, program: string): number[] {
  return childrenOf(parent, program).flatMap(({ pid }) => {
    try {
      return process.kill(pid, "SIGKILL") ? [pid] : [];
    } catch {
      return [];
    }
  });
}

function inLines(entries: readonly object[]): string {
  return `${entries.map((entry) => JSON.stringify(entry)).join("\n")}\n`;
}

function fillBytes(folder: string): void {
  mkdirSync(folder);
  try {
    writeFileSync(join(folder, "bytes"), Buffer.alloc(200_000_000));
  } catch {
    // Full, as it should be.
  }
}

function fillFiles(folder: string): void {
  mkdirSync(folder);
  try {
    for (let n = 0; n < 10_000; n++) writeFileSync(join(folder, String(n)), "");
  } catch {
    // Full, as it should be.
  }
}

async function findIds(server: HostileServer): Promise<{ workspaceId: string; keyId: string }> {
  const workspaces = await runCli(["workspaces", "list", "--json"], { SVC_DATA_DIR: server.dataDir });
  const keys = await runCli(["keys", "list", "--json"], { SVC_DATA_DIR: server.dataDir });
  return { workspaceId: JSON.parse(workspaces.out)[0].id, keyId: JSON.parse(keys.out)[0].id };
}
