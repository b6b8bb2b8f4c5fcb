import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterAll, describe, expect, it, onTestFinished } from "vitest";
import { runAnywhere } from "../../src/main/commands/run-anywhere.ts";
import { readSettings } from "../../src/platform/settings/settings.ts";
import { createPostgresDatabase, postgresUrl } from "../support/databases.ts";
import { runCli } from "../support/run-cli.ts";
import { startServer, type TestServer } from "../support/start-server.ts";

const root = mkdtempSync(join(tmpdir(), "parlance-installation-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));
const scratch = () => mkdtempSync(join(root, "data-"));

const run = (command: string, input: object, env: Record<string, string>) =>
  runAnywhere(readSettings(env), command, input);
const idIn = (dataDir: string) => readFileSync(join(dataDir, "installation-id"), "utf8").trim();

async function start(env: Record<string, string>): Promise<TestServer> {
  const server = await startServer(env);
  let isOpen = true;
  const close = async () => {
    if (isOpen) await server.close();
    isOpen = false;
  };
  onTestFinished(close);
  return { ...server, close };
}

async function newPostgres(): Promise<string> {
  const { url, drop } = await createPostgresDatabase();
  onTestFinished(drop);
  return url;
}

async function countTables(url: string): Promise<number> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query("SELECT 1 FROM pg_tables WHERE schemaname = 'public'");
  await client.end();
  return rows.length;
}

describe("commands", () => {
  it("in a folder without an installation make none, and say what does", async () => {
    const dataDir = scratch();
    for (const [command, input] of [
      ["setup-link", {}],
      ["keys list", {}],
      ["workspaces create", { name: "acme" }],
      ["backup", { file: join(dataDir, "backup.tar.gz"), dataDir }],
    ] as const)
      await expect(run(command, input, { SVC_DATA_DIR: dataDir })).rejects.toThrow(/no database in .*parlance migrate/);
    expect(readdirSync(dataDir)).toEqual([]);
  });

  it("never back up an installation that has no workspace", async () => {
    const dataDir = scratch();
    expect((await runCli(["migrate"], { SVC_DATA_DIR: dataDir })).code).toBe(0);
    const file = join(dataDir, "backup.tar.gz");
    await expect(run("backup", { file, dataDir }, { SVC_DATA_DIR: dataDir })).rejects.toThrow(/nothing to back up/);
    expect(existsSync(file)).toBe(false);
  });
});

describe("a restored installation", () => {
  it("is the one that was backed up, in its new folder too, and never goes into the folder of another", async () => {
    const server = await start({ SVC_DATA_DIR: scratch() });
    const file = join(root, "whole.tar.gz");
    await server.admin("backup", { file, dataDir: server.dataDir });
    const fresh = scratch();
    await run("restore", { file, dataDir: fresh }, { SVC_DATA_DIR: fresh });
    expect(idIn(fresh)).toBe(idIn(server.dataDir));
    expect(await run("workspaces list", {}, { SVC_DATA_DIR: fresh })).toMatchObject([{ name: "default" }]);

    const others = scratch();
    writeFileSync(join(others, "installation-id"), "ins_other\n");
    await expect(run("restore", { file, dataDir: others }, { SVC_DATA_DIR: others })).rejects.toThrow(
      /another installation/,
    );
    expect(idIn(others)).toBe("ins_other");
  });

  it("takes the place of a lost database in the same folder", async () => {
    const dataDir = scratch();
    const server = await start({ SVC_DATA_DIR: dataDir });
    const file = join(root, "before-the-loss.tar.gz");
    await server.admin("backup", { file, dataDir });
    await server.close();
    rmSync(join(dataDir, "db"), { recursive: true });
    const id = idIn(dataDir);
    await expect(run("keys list", {}, { SVC_DATA_DIR: dataDir })).rejects.toThrow(/restore a backup/);
    await expect(startServer({ SVC_DATA_DIR: dataDir })).rejects.toThrow(/restore a backup/);
    await run("restore", { file, dataDir }, { SVC_DATA_DIR: dataDir });
    expect(idIn(dataDir)).toBe(id);
    await start({ SVC_DATA_DIR: dataDir });
  });
});

describe.skipIf(!postgresUrl)("an installation on PostgreSQL", () => {
  it("answers commands of its data folder by its socket, whether they know the address or not", async () => {
    const server = await start({ SVC_DATA_DIR: scratch(), SVC_DATABASE_URL: await newPostgres() });
    const { dataDir } = server;
    await run("workspaces create", { name: "by socket" }, { SVC_DATA_DIR: dataDir });
    // An address that nobody could use: the server is asked, which has its own.
    const nowhere = { SVC_DATA_DIR: dataDir, SVC_DATABASE_URL: "postgres://127.0.0.1:1/nothing" };
    expect(await run("workspaces list", {}, nowhere)).toMatchObject([{ name: "default" }, { name: "by socket" }]);
    expect(existsSync(join(dataDir, "db"))).toBe(false);
  });

  it("is not replaced by an empty one when the address is forgotten", async () => {
    const dataDir = scratch();
    const server = await start({ SVC_DATA_DIR: dataDir, SVC_DATABASE_URL: await newPostgres() });
    await server.close();
    const file = join(root, "of-nothing.tar.gz");
    for (const args of [["setup-link"], ["keys", "list"], ["backup", file], ["migrate"], ["serve", "--port", "0"]]) {
      const { code, out, err } = await runCli(args, { SVC_DATA_DIR: dataDir });
      expect([args[0], code, out]).toEqual([args[0], 1, ""]);
      expect(err).toMatch(/set SVC_DATABASE_URL as its server has it/);
    }
    expect([existsSync(join(dataDir, "db")), existsSync(file)]).toEqual([false, false]);
  });

  it("refuses another database, which stays as it was, and takes its own at another address", async () => {
    const dataDir = scratch();
    const url = await newPostgres();
    await (await start({ SVC_DATA_DIR: dataDir, SVC_DATABASE_URL: url })).close();
    const empty = await newPostgres();
    const others = await newPostgres();
    await (await start({ SVC_DATA_DIR: scratch(), SVC_DATABASE_URL: others })).close();
    for (const wrong of [empty, others]) {
      const env = { SVC_DATA_DIR: dataDir, SVC_DATABASE_URL: wrong };
      await expect(run("keys list", {}, env)).rejects.toThrow(/another installation/);
      await expect(startServer(env)).rejects.toThrow(/another installation/);
    }
    expect(await countTables(empty)).toBe(0);
    const moved = new URL(url);
    moved.hostname = "localhost";
    expect(await run("workspaces list", {}, { SVC_DATA_DIR: dataDir, SVC_DATABASE_URL: moved.href })).toHaveLength(1);
    const stranger = { SVC_DATA_DIR: scratch(), SVC_DATABASE_URL: empty };
    await expect(run("keys list", {}, stranger)).rejects.toThrow(/holds no installation/);
    expect(await countTables(empty)).toBe(0);
  });

  it("is the same for every server that joins with a folder of its own", async () => {
    const SVC_DATABASE_URL = await newPostgres();
    const [one, two] = await Promise.all([1, 2].map(() => start({ SVC_DATA_DIR: scratch(), SVC_DATABASE_URL })));
    expect(idIn(one!.dataDir)).toBe(idIn(two!.dataDir));
    await two!.close();
    const again = await start({ SVC_DATA_DIR: two!.dataDir, SVC_DATABASE_URL });
    expect(await again.admin("workspaces list", {})).toHaveLength(1);
  });

  it("may have two servers in one folder, as while one takes over from the other: commands go on", async () => {
    const env = { SVC_DATA_DIR: scratch(), SVC_DATABASE_URL: await newPostgres() };
    const before = await start(env);
    const after = await start(env);
    expect(await after.admin("workspaces list", {})).toHaveLength(1);
    await before.close();
    expect(await after.admin("workspaces list", {})).toHaveLength(1);
  });
});
