import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import net, { type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { findGaps } from "../../src/adapters/engines/host/cage/cage.ts";
import { createEngineHost } from "../../src/adapters/engines/host/create-engine-host.ts";
import { silentLog } from "../../src/platform/log.ts";
import type { EngineHost } from "../../src/ports/engine-host.ts";
import { runCli } from "../support/run-cli.ts";

const module = resolve(import.meta.dirname, "../support/breakout-child.js");
const caller = { key: "someone" };
const canCage = process.platform === "linux" && existsSync(resolve("dist/adapters/engines/host/cage/enter-cage.cjs"));

describe.skipIf(!canCage)("a process that reads untrusted bytes, taken over by one of them", () => {
  let server: net.Server;
  let folder: string;
  let host: EngineHost;
  let target: { port: number; socket: string; file: string; folder: string };

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "parlance-cage-"));
    const file = join(folder, "secret");
    writeFileSync(file, "what everybody said", { mode: 0o600 });
    server = net.createServer((socket) => socket.end("come in"));
    await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
    const socket = join(folder, "admin.sock");
    await new Promise<void>((done) => net.createServer().listen(socket, done).unref());
    target = { port: (server.address() as AddressInfo).port, socket, file, folder };
    host = start({});
  });
  afterAll(async () => {
    await host?.close();
    server?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const start = (given: object, isCaged = true) =>
    createEngineHost({
      name: "breakout",
      module,
      settings: () => ({}),
      log: silentLog,
      memoryLimitMb: 500,
      ...(isCaged ? { cage: { reads: [resolve("tests/support")], ...given } } : {}),
    });
  const attempt = (name: string, engine = host) =>
    engine.ask<{ got?: unknown; refused?: string }>("attempt", { name, target }, caller);

  const ways = [
    ["network", "reaches a port of this machine"],
    ["listening", "is reached over the network"],
    ["socket", "reaches the server's own socket"],
    ["socketByNumber", "opens a socket without Node"],
    ["datagrams", "makes a pair of sockets of which each could send to any name"],
    ["file", "reads a file of the data folder"],
    ["fileOfAnotherThread", "reads it in another thread"],
    ["fileOfAWorker", "reads it in a worker"],
    ["folder", "lists the folder"],
    ["writing", "leaves a file there"],
    ["emptying", "empties the file"],
    ["rights", "opens the file to everybody"],
    ["settings", "reads the server's settings from its environment"],
    ["program", "runs a program"],
    ["server", "ends the server"],
    ["priority", "puts the server behind everybody else"],
  ] as const;

  it.each(ways)("%s: it does not get what it wants when it %s", async (name) => {
    const { got, refused } = await attempt(name);
    expect(got).toBeUndefined();
    expect(refused).toMatch(/EPERM|EACCES|errno (1|13)|ENOTFOUND|EAI_/);
  });

  it("has none of the rights of root, where the server is root", async () => {
    if (process.getuid?.() === 0) expect((await attempt("rootByNumber")).refused).toBe("errno 1");
  });

  it("starts none of 200 processes", async () => {
    expect(await host.ask("processes", { count: 200 }, caller)).toBe(0);
  });

  it("gets no four gigabytes, and takes nobody along", async () => {
    const greedy = start({});
    let megabytes = 0;
    const grow = async () => {
      for await (const count of greedy.run<number>("memory", { megabytes: 4000 }, caller)) megabytes = count;
    };
    await expect(grow()).rejects.toThrow();
    expect(megabytes).toBeGreaterThan(100);
    expect(megabytes, "500 MB and room").toBeLessThan(1600);
    await greedy.close();
    expect((await attempt("file")).got).toBeUndefined();
  });

  it("runs the one program that it is for, in the same cage", async () => {
    const running = start({ runs: realpathSync("/bin/sh") });
    const file = (await attempt("file", running)).refused;
    expect(file).toMatch(/EACCES/);
    expect(await running.ask("program", { path: realpathSync("/bin/sh") }, caller)).toBe("ran\n");
    expect((await attempt("network", running)).refused).toMatch(/EPERM|EACCES/);
    await running.close();
  });

  it("would get all of it without the cage", async () => {
    const free = start({}, false);
    for (const [name] of ways) expect((await attempt(name, free)).got, name).toBeDefined();
    expect(readdirSync(folder)).toContain("planted");
    expect([statSync(target.file).size, statSync(target.file).mode & 0o777]).toEqual([0, 0o666]);
    await free.close();
  });

  it("has a line in doctor, which says what this machine cannot keep", async () => {
    // Without models: doctor would read every byte of them.
    const rows = JSON.parse(
      (await runCli(["doctor", "--json"], { SVC_DATA_DIR: join(folder, "data"), SVC_MODELS_DIR: folder })).out,
    );
    const row = rows.find(({ check }: { check: string }) => check === "cage");
    const gaps = await findGaps();
    expect(row.state).toBe(gaps.length === 0 ? "ok" : "warning");
    for (const gap of gaps) expect(row.detail).toContain(gap);
  });

  it("goes into it by itself: every process that opens files of others", () => {
    for (const path of ["src/main/extraction-engines.ts", "src/adapters/engines/media-decoder/media-decoder.ts"]) {
      const source = readFileSync(resolve(path), "utf8");
      expect(source.match(/createEngineHost\(/g)?.length).toBe(source.match(/^ {4}cage:/gm)?.length);
    }
  });
});
