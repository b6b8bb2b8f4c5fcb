import { execFile } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { modelStore } from "../support/local-speech.ts";
import { runCli } from "../support/run-cli.ts";

const root = resolve(import.meta.dirname, "../..");
const run = promisify(execFile);
const scratch = mkdtempSync(join(tmpdir(), "parlance-anywhere-"));
const bare = join(scratch, "bare");
const installed = join(scratch, "installed");

beforeAll(() => {
  for (const name of ["start", "test", "parlance", "bin", "package.json"]) {
    cpSync(join(root, name), join(bare, name), { recursive: true });
  }
  // Another installation with the same build and packages, and settings of its own.
  cpSync(bare, installed, { recursive: true });
  const isServerCode = (path: string) => path !== join(root, "dist", "web");
  cpSync(join(root, "dist"), join(installed, "dist"), { recursive: true, filter: isServerCode });
  for (const name of ["node_modules", "models", "src"]) symlinkSync(join(root, name), join(installed, name));
  writeFileSync(join(installed, ".env"), "SVC_DATA_DIR=./mine\nSVC_PORT=23917\n");
});
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

/** As somebody who stands somewhere else calls it. */
async function call(file: string, ...args: string[]) {
  const env = { PATH: process.env.PATH ?? "", HOME: scratch };
  try {
    return { code: 0, ...(await run(file, args, { cwd: "/", env })) };
  } catch (error) {
    return error as { code: number; stdout: string; stderr: string };
  }
}

describe("a checkout without packages", () => {
  it.each(["parlance", "start"])("./%s --help explains every command and setting, and makes nothing", async (name) => {
    const before = readdirSync(bare);
    const { code, stdout } = await call(join(bare, name), "--help");
    expect(code).toBe(0);
    for (const word of ["serve", "keys", "backup", "SVC_PORT", "SVC_DATA_DIR"]) expect(stdout).toContain(word);
    expect(readdirSync(bare)).toEqual(before);
  });

  it("./test --help says what it runs", async () => {
    expect((await call(join(bare, "test"), "--help")).stdout).toMatch(/runs all of it.*--unit/s);
    expect((await call(join(bare, "test"), "--fast")).stderr).toMatch(/knows --unit and --help/);
  });

  it("a command says that it is not built, its help does not ask for it", async () => {
    expect((await call(join(bare, "parlance"), "keys", "list")).stderr).toMatch(/not built yet. Run \.\/start/);
    expect((await call(join(bare, "parlance"), "keys", "--help")).stdout).toContain("SVC_PORT");
  });
});

describe.skipIf(!existsSync(join(root, "dist", "main", "cli.js")))("from any directory", () => {
  it("commands mean the data folder that the installation's .env names, and make none", async () => {
    const { code, stderr } = await call(join(installed, "parlance"), "workspaces", "list");
    expect([code, stderr.trim().split("\n").length]).toEqual([1, 1]);
    expect(stderr).toContain(`There is no data folder ${join(installed, "mine")}. ./start makes it`);
    expect((await call(join(installed, "parlance"), "backup", join(scratch, "b"))).stderr).toMatch(/no data folder/);
    expect(existsSync(join(installed, "mine"))).toBe(false);
  });

  it("doctor makes nothing, before there is a data folder and in an empty one", async () => {
    const look = async () => JSON.parse((await call(join(installed, "parlance"), "doctor", "--json")).stdout);
    const wanted = { check: "database", state: "ok", detail: expect.stringContaining(join(installed, "mine")) };
    expect(await look()).toContainEqual(wanted);
    expect(existsSync(join(installed, "mine"))).toBe(false);
    mkdirSync(join(installed, "mine"));
    expect(await look()).toContainEqual(wanted);
    expect(readdirSync(join(installed, "mine"))).toEqual([]);
    rmSync(join(installed, "mine"), { recursive: true });
    expect(readdirSync(scratch).sort()).toEqual(["bare", "installed"]);
  });

  it("migrate makes the folder and says so; after that every command finds it", async () => {
    const made = await call(join(installed, "parlance"), "migrate");
    expect([made.code, made.stderr.trim()]).toEqual([0, `Made the data folder ${join(installed, "mine")}.`]);
    const link = join(scratch, "linked");
    symlinkSync(join(installed, "parlance"), link);
    expect((await call(link, "workspaces", "create", "acme")).code).toBe(0);
    expect((await call(link, "workspaces", "list")).stdout).toContain("acme");
    const findings = JSON.parse((await call(link, "doctor", "--json")).stdout);
    expect(findings).toContainEqual({ check: "database", state: "ok", detail: "embedded, 1 workspaces" });
    rmSync(link);
  });
});

describe.skipIf(!existsSync(join(root, "dist", "main", "cli.js")))("the guide for systemd", () => {
  it("lets commands mean the service's settings, as pasted", async () => {
    const guide = readFileSync(join(root, "docs", "production.md"), "utf8");
    const pasted = /\*\*systemd\.\*\*.*?```sh\n(.*?)```/s.exec(guide)![1]!.split("\n");
    const etc = join(scratch, "etc");
    const here = (line: string) =>
      line.replaceAll("/opt/parlance", installed).replaceAll(/\/(etc|var\/\w+)\/parlance/g, `${etc}/$1/parlance`);
    for (const folder of ["etc", "var/lib", "var/cache"]) mkdirSync(join(etc, folder), { recursive: true });
    rmSync(join(installed, ".env"));
    for (const line of pasted.filter((one) => /^(printf|ln) /.test(one))) await run("bash", ["-c", here(line)]);
    const unit = readFileSync(join(root, "deploy", "parlance.service"), "utf8");
    expect(unit).toContain("EnvironmentFile=-/etc/parlance.env");
    const commands = pasted.filter((line) => line.startsWith("sudo -u parlance ./parlance "));
    expect(commands).toEqual(["sudo -u parlance ./parlance setup-link"]);
    expect((await call(join(installed, "parlance"), "migrate")).stderr).toContain(join(etc, "var", "lib", "parlance"));
    expect((await call(join(installed, "parlance"), "setup-link")).stdout).toContain("/setup#");
  });
});

describe.skipIf(!process.env.TEST_POSTGRES_URL)("with PostgreSQL", () => {
  it("commands need no data folder, and doctor makes no tables", async () => {
    const url = new URL(process.env.TEST_POSTGRES_URL!);
    const { default: pg } = await import("pg");
    const server = new pg.Client(url.href);
    await server.connect();
    const name = `anywhere_${process.pid}`;
    await server.query(`CREATE DATABASE ${name}`);
    url.pathname = `/${name}`;
    const models = join(scratch, "models");
    mkdirSync(models);
    // Doctor reads every byte of the models that are there: seventeen seconds of a core for all of them.
    symlinkSync(modelStore.folder("silero-vad"), join(models, "silero-vad"));
    const env = { SVC_DATABASE_URL: url.href, SVC_DATA_DIR: join(scratch, "unused"), SVC_MODELS_DIR: models };
    const { out } = await runCli(["doctor", "--json"], env);
    expect(JSON.parse(out)).toContainEqual(
      expect.objectContaining({ detail: expect.stringMatching(/without tables/) }),
    );
    expect((await runCli(["workspaces", "create", "acme"], env)).err).toMatch(/holds no installation/);
    expect((await runCli(["migrate"], env)).code).toBe(0);
    expect((await runCli(["workspaces", "create", "acme"], env)).code).toBe(0);
    expect(existsSync(env.SVC_DATA_DIR)).toBe(false);
    await server.query(`DROP DATABASE ${name} WITH (FORCE)`);
    await server.end();
  });
});
