// Keeps what a released version leaves in a database and what it says to it, so that a test can hold the next version against it in
// a clone without tags: node --import tsx scripts/record-version.ts v0.2.0
// Run it after a release is tagged, with PostgreSQL and nats-server installed. It takes the tag's sources with the packages of now,
// serves with them, runs its journeys on a PostgreSQL that logs, and writes tests/fixtures/former-version.
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import pg from "pg";
import { call, form } from "../tests/support/call.ts";
import { completion, sendJson, startFakeUpstream } from "../tests/support/fake-upstream.ts";

/** Those that have a PostgreSQL do between them nearly everything that a server does. */
const journeys = [
  "tests/cluster/two-nodes.test.ts",
  ...["stores", "extraction-stores", "gateway-money", "gateway-report", "dashboard", "dashboard-access"].map(
    (name) => `tests/journeys/${name}.test.ts`,
  ),
];
/** What pg_dump asks, and tests that look at the schema. */
const isAboutServer = /\bpg_(?!notify|advisory)\w+|information_schema/;
const root = resolve(import.meta.dirname, "..");
const fixtures = join(root, "tests", "fixtures", "former-version");
const tag = process.argv[2];
if (!tag) throw new Error("Say which tag, such as: node --import tsx scripts/record-version.ts v0.2.0");

const folder = mkdtempSync(join(tmpdir(), "parlance-version-"));
execFileSync("chmod", ["755", folder]);
const sources = join(folder, "sources");
mkdirSync(sources);
execFileSync("bash", ["-c", `git -C '${root}' archive '${tag}' | tar x -C '${sources}'`]);
symlinkSync(join(root, "node_modules"), join(sources, "node_modules"));
const postgres = join(folder, "postgres");
const server = (command: string) =>
  execFileSync(join(root, "scripts", "postgres-for-tests"), [command, postgres], { encoding: "utf8" }).trim();
const url = server("start");
try {
  await logStatements();
  const key = await leaveRows();
  const schema = dump();
  // One that fails, for want of a model or a browser, has said things too.
  spawnSync("npx", ["vitest", "run", "--project", "journeys", ...journeys], {
    cwd: sources,
    env: { ...process.env, TEST_POSTGRES_URL: url },
    stdio: "inherit",
  });
  const statements = await thatStillWork(readStatements());
  mkdirSync(fixtures, { recursive: true });
  const about = `-- Made by scripts/record-version.ts from ${tag}.`;
  writeFileSync(join(fixtures, "database.sql"), `${about} Its key: ${key}\n${schema}`);
  writeFileSync(join(fixtures, "statements.sql"), `${about}\n${statements.map((text) => `${text};\n`).join("")}`);
  console.log(`${statements.length} statements of ${tag}`);
} finally {
  server("stop");
  rmSync(folder, { recursive: true, force: true });
}

async function logStatements(): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  for (const [name, value] of [
    ["logging_collector", "on"],
    ["log_destination", "jsonlog"],
    ["log_statement", "all"],
  ]) {
    await client.query(`ALTER SYSTEM SET ${name} = '${value}'`);
  }
  await client.end();
  server("restart");
}

/** What a day of use leaves: keys, money, usage, an extraction that is done and one that its server died with. */
async function leaveRows(): Promise<string> {
  const upstream = await startFakeUpstream();
  const usage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15, cost: 0.0001 };
  upstream.on("/v1/chat/completions", (_request, response) => sendJson(response, completion(usage)));
  const env = {
    ...process.env,
    SVC_DATABASE_URL: url,
    SVC_DATA_DIR: join(folder, "data"),
    SVC_ENGINES: "extraction",
    SVC_GATEWAY_UPSTREAM_URL: upstream.url,
    SVC_MODELS_PULL: "0",
    SVC_PORT: "0",
    SVC_WARM_UP: "0",
  };
  const program = ["--import", "tsx", "src/main/cli.ts"];
  const running = spawn(process.execPath, [...program, "serve"], {
    cwd: sources,
    env,
    stdio: ["ignore", "pipe", "inherit"],
  });
  let out = "";
  running.stdout.on("data", (bytes: Buffer) => {
    out += bytes;
  });
  while (!/localhost:\d+/.test(out)) await once(running.stdout, "data");
  const base = `http://127.0.0.1:${/localhost:(\d+)/.exec(out)![1]}`;
  const made = ["--workspace", "default", "--name", "former", "--scopes", "all", "--json"];
  const { key } = JSON.parse(
    execFileSync(process.execPath, [...program, "keys", "create", ...made], { cwd: sources, env, encoding: "utf8" }),
  ) as { key: string };
  const json = { model: "acme/chat", messages: [{ role: "user", content: "Hi" }], max_tokens: 50 };
  for (let i = 0; i < 3; i++) await call(`${base}/gateway/v1/chat/completions`, { key, json });
  const extract = (query: string, number: number) =>
    call(`${base}/extraction/v1/extract${query}`, {
      key,
      body: form({ file: new Blob([`Invoice number: ${number}\nTotal: 10.00 EUR\n`]) }),
    });
  await extract("", 1);
  // Its charges and its usage are written every second.
  await new Promise((done) => setTimeout(done, 3000));
  await extract("?wait=0", 2);
  running.kill("SIGKILL");
  await upstream.close();
  return key;
}

/** As statements that any client runs: no copying, and no words of psql's own. */
function dump(): string {
  const bin = readdirSync("/usr/lib/postgresql").sort().at(-1);
  const options = ["--inserts", "--no-owner", "--no-privileges", "--schema=public"];
  const text = execFileSync(`/usr/lib/postgresql/${bin}/bin/pg_dump`, [...options, url], { encoding: "utf8" });
  return text.replace(/^(\\|--|SET |SELECT pg_catalog\.set_config|CREATE SCHEMA).*\n/gm, "").replace(/\n{2,}/g, "\n");
}

/** What was said to the database, each kind of statement once: as many values as there may be count as one. */
function readStatements(): string[] {
  const logs = join(postgres, "data", "log");
  const lines = readdirSync(logs)
    .filter((name) => name.endsWith(".json"))
    .flatMap((name) => readFileSync(join(logs, name), "utf8").split("\n"));
  const migrations = join(sources, "src", "adapters", "database", "migrations");
  const known = oneLine(
    readdirSync(migrations)
      .map((name) => readFileSync(join(migrations, name), "utf8"))
      .join("\n"),
  );
  const kinds = new Map<string, string>();
  for (const line of lines) {
    const { message = "" } = line === "" ? {} : (JSON.parse(line) as { message?: string });
    const found = /^(?:statement|execute [^:]*): (.*)$/s.exec(message);
    const text = oneLine(found?.[1] ?? "").replace(/;$/, "");
    if (!/^(insert|update|delete|select|with)\b/i.test(text) || known.includes(text) || isAboutServer.test(text))
      continue;
    const kind = text
      .replace(/\$\d+/g, "$")
      .replace(/(\([^()]*\$[^()]*\))(, ?\1)+/g, "$1")
      .replace(/\$(, ?\$)+/g, "$");
    const before = kinds.get(kind);
    if (!before || text.length < before.length) kinds.set(kind, text);
  }
  return [...kinds.values()].sort();
}

/** Those that the version's own schema knows: tests also say what must fail, and ask about tables of their own. */
async function thatStillWork(statements: string[]): Promise<string[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const working: string[] = [];
  for (const text of statements) {
    const isPrepared = await client.query(`PREPARE one AS ${text}`).then(
      () => true,
      () => false,
    );
    if (isPrepared) await client.query("DEALLOCATE one");
    if (isPrepared) working.push(text);
  }
  await client.end();
  return working;
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}
