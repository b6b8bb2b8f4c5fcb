import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import net from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { call } from "../support/call.ts";
import { makeKey, runCli, startCli } from "../support/run-cli.ts";

const folders: string[] = [];
function scratch(): string {
  const folder = mkdtempSync(join(tmpdir(), "parlance-cli-"));
  folders.push(folder);
  return folder;
}
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

async function parlance(dataDir: string, ...args: string[]) {
  const { code, out, err } = await runCli([...args, "--json"], { SVC_DATA_DIR: dataDir });
  expect(err).toBe("");
  expect(code).toBe(0);
  return JSON.parse(out);
}

/** The same story twice: once with the server running on the same embedded database, once without. */
describe.each(["running", "stopped"])("with the server %s", (state) => {
  const dataDir = scratch();
  let server: ReturnType<typeof startCli> | undefined;
  beforeAll(async () => {
    if (state === "stopped") return void (await parlance(dataDir, "migrate"));
    server = startCli(["serve", "--port", "0"], { SVC_DATA_DIR: dataDir });
    await server.seen(/listening on/);
  });
  afterAll(async () => {
    server?.process.kill("SIGTERM");
    await server?.finished;
  });

  it("every account command works", async () => {
    const created = await parlance(dataDir, "workspaces", "create", "acme");
    expect(created).toMatchObject({ name: "acme", gatewayPlan: "FREE", extractionPlan: "Free" });
    const changed = await parlance(
      dataDir,
      "workspaces",
      "set-plan",
      "acme",
      "--gateway",
      "PLUS",
      "--extraction",
      "Starter",
    );
    expect(changed).toMatchObject({ gatewayPlan: "PLUS", extractionPlan: "Starter" });
    expect(await parlance(dataDir, "workspaces", "list")).toContainEqual(changed);

    const key = await parlance(
      dataDir,
      "keys",
      "create",
      "--workspace",
      "acme",
      "--name",
      "N",
      "--scopes",
      "speech,chat",
    );
    expect(Object.keys(key)).toEqual(["id", "key", "scopes"]);
    expect(key.scopes).toEqual(["speech", "chat"]);
    const listed = await parlance(dataDir, "keys", "list", "--workspace", "acme");
    expect(listed).toMatchObject([{ id: key.id, name: "N", hint: key.key.slice(-4) }]);
    expect(JSON.stringify(listed)).not.toContain(key.key);
    expect(await parlance(dataDir, "keys", "revoke", key.id)).toEqual({ id: key.id, revoked: true });

    await parlance(dataDir, "credits", "grant", "--workspace", "acme", "--amount", "5.00");
    expect(await parlance(dataDir, "credits", "balance", "--workspace", "acme")).toMatchObject({
      balance: "5.00",
      lifetime_spend: "0.00",
    });
    expect(await parlance(dataDir, "usage")).toEqual([]);
  });

  (state === "running" ? it : it.skip).each([
    [["keys", "create", "--workspace", "nobody", "--name", "x", "--scopes", "chat"], /no workspace "nobody"/],
    [["keys", "create", "--workspace", "acme", "--name", "x", "--scopes", "fly"], /no scope "fly"/],
    [["keys", "revoke", "key_nothing"], /no key "key_nothing"/],
    [["credits", "grant", "--workspace", "acme", "--amount", "much"], /not an amount/],
    [["workspaces", "set-plan", "acme", "--gateway", "GOLD"], /no plan "GOLD"/],
  ])("%j fails with one clear line", async (args, message) => {
    const { code, err } = await runCli(args, { SVC_DATA_DIR: dataDir });
    expect(code).toBe(1);
    expect(err.trim().split("\n")).toHaveLength(1);
    expect(err).toMatch(message);
  });
});

describe("starting", () => {
  it("into a log prints no key but how to make one, and the data folder is its owner's alone", async () => {
    const dataDir = scratch();
    const server = startCli(["serve", "--port", "0"], { SVC_DATA_DIR: dataDir });
    expect(await server.seen(/keys create.*\n/)).not.toContain("parl_");
    expect(statSync(join(dataDir, "admin.sock")).mode & 0o777).toBe(0o600);
    for (const folder of [".", "db", "usage", "credits"]) {
      expect(statSync(join(dataDir, folder)).mode & 0o777, folder).toBe(0o700);
    }
    for (const file of readdirSync(join(dataDir, "credits"))) {
      expect(statSync(join(dataDir, "credits", file)).mode & 0o777, file).toBe(0o600);
    }

    const second = await runCli(["serve", "--port", "0"], { SVC_DATA_DIR: dataDir });
    expect(second).toMatchObject({ code: 1, err: expect.stringMatching(/in use by another Parlance \(process \d+\)/) });

    server.process.kill("SIGTERM");
    expect((await server.finished).code).toBe(0);
    const again = startCli(["serve", "--port", "0"], { SVC_DATA_DIR: dataDir });
    expect(await again.seen(/listening on/)).not.toContain("parl_");
    again.process.kill("SIGTERM");
    await again.finished;
  });

  it("stops with one clear line when the port is taken", async () => {
    const taken = net.createServer().listen(0, "127.0.0.1");
    await new Promise((resolve) => taken.once("listening", resolve));
    const { port } = taken.address() as net.AddressInfo;
    const { code, err } = await runCli(["serve", "--port", String(port)], { SVC_DATA_DIR: scratch() });
    taken.close();
    expect([code, err.trim()]).toEqual([1, `Port ${port} is taken. Stop what uses it, or set SVC_PORT or --port.`]);
  });

  it("stops with one clear line when the data folder is not a folder", async () => {
    const file = join(scratch(), "file");
    writeFileSync(file, "");
    chmodSync(file, 0o600);
    const { code, err } = await runCli(["serve"], { SVC_DATA_DIR: file });
    expect([code, err.trim().split("\n").length]).toEqual([1, 1]);
    expect(err).toMatch(/data folder .* cannot be used/);
  });

  it("stops with one clear line when a setting makes no sense", async () => {
    const { code, err } = await runCli(["serve"], { SVC_RATE_PER_MINUTE: "fast" });
    expect([code, err.trim()]).toEqual([
      1,
      'SVC_RATE_PER_MINUTE is "fast" but must be a whole number from 1 to 1000000.',
    ]);
  });

  it("says what nobody can check before it fetches it, and asks", async () => {
    const models = { SVC_MODELS_DIR: scratch() };
    const listed = JSON.parse((await runCli(["models", "list", "--available", "--json"], models)).out);
    const noteOf = (id: string) => listed.find((row: { id: string }) => row.id === id).note;
    expect([noteOf("piper-de-thorsten"), noteOf("qwen3-8b")]).toEqual(["Not run by us. Unpinned.", "Not run by us."]);
    for (const command of ["add", "pull"]) {
      const { code, err } = await runCli(["models", command, "piper-de-thorsten"], models);
      expect([code, err]).toEqual([
        1,
        expect.stringMatching(/^No sha256 is known .*piper-de-thorsten.*--accept-unpinned/),
      ]);
    }
  });

  it("--help names every command and setting", async () => {
    const { out } = await runCli(["--help"]);
    for (const word of ["serve", "workspaces", "keys", "credits", "usage", "models", "doctor", "migrate"])
      expect(out).toContain(word);
    const example = readFileSync(new URL("../../.env.example", import.meta.url), "utf8");
    for (const [, name] of example.matchAll(/^#(SVC_\w+)=/gm)) expect(out).toContain(name);
  });
});

describe("commands at the same time", () => {
  it("all take effect when no server runs", async () => {
    const dataDir = scratch();
    await parlance(dataDir, "migrate");
    await parlance(dataDir, "workspaces", "create", "acme");
    const grant = () => parlance(dataDir, "credits", "grant", "--workspace", "acme", "--amount", "1.00");
    await Promise.all([grant(), grant(), grant()]);
    expect((await parlance(dataDir, "credits", "balance", "--workspace", "acme")).balance).toMatch(/^3(\.0+)?$/);
  });

  it("are not repeated when the server ends before it answers", async () => {
    const dataDir = scratch();
    let asked = 0;
    const dying = net.createServer({ allowHalfOpen: true }, (connection) => {
      connection.resume().on("end", () => {
        asked += 1;
        connection.write(" ", () => connection.destroy());
      });
    });
    await new Promise<void>((resolve) => dying.listen(join(dataDir, "admin.sock"), resolve));
    const { code, err } = await runCli(["workspaces", "list"], { SVC_DATA_DIR: dataDir });
    dying.close();
    expect([code, asked]).toEqual([1, 1]);
    expect(err).toMatch(/ended before it answered/);
  });
});

describe("a killed server", () => {
  it("loses no acknowledged write and no usage record, and the next start recovers by itself", async () => {
    const dataDir = scratch();
    const granted: number[] = [];
    let answered = 0;
    let key = "";
    for (let round = 0; round < 3; round++) {
      const server = startCli(["serve", "--port", "0"], { SVC_DATA_DIR: dataDir });
      const out = await server.seen(/listening on \S+/);
      const url = /listening on (\S+)/.exec(out)![1]!;
      key ||= await makeKey(dataDir);
      const { runAnywhere } = await import("../../src/main/commands/run-anywhere.ts");
      const { readSettings } = await import("../../src/platform/settings/settings.ts");
      const settings = readSettings({ SVC_DATA_DIR: dataDir });
      const before = granted.length;
      const writing = (async () => {
        for (;;) {
          await runAnywhere(settings, "credits grant", { workspace: "default", amount: "0.01" });
          granted.push(1);
          await call(`${url}/gateway/v1/credits`, { key });
          answered += 1;
        }
      })().catch(() => {});
      while (granted.length < before + 4) await new Promise((resolve) => setTimeout(resolve, 5));
      server.process.kill("SIGKILL");
      await writing;
      await server.finished;
    }
    const { balance } = await parlance(dataDir, "credits", "balance", "--workspace", "default");
    const cents = Math.round((Number(balance) - 10) * 100);
    expect(cents).toBeGreaterThanOrEqual(granted.length);
    // A write that was under way when the process died may have been kept, one per round at most.
    expect(cents).toBeLessThanOrEqual(granted.length + 3);
    const server = startCli(["serve", "--port", "0"], { SVC_DATA_DIR: dataDir });
    await server.seen(/listening on/);
    const usage = await parlance(dataDir, "usage");
    server.process.kill("SIGTERM");
    await server.finished;
    const requests = usage.find((row: { route: string }) => row.route === "GET /gateway/v1/credits")?.requests;
    // A reply may have left in the very turn in which the process died, before its record was written: one per round at most.
    expect(requests ?? 0).toBeGreaterThanOrEqual(answered - 3);
  });
});
