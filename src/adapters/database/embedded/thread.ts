import { readFile } from "node:fs/promises";
import { setFlagsFromString } from "node:v8";
import { parentPort } from "node:worker_threads";
import { PGlite, type PGliteOptions, type Transaction, types } from "@electric-sql/pglite";
import { DurableNodeFs, durableStartParams, fsyncs } from "./durable-fs.ts";
import type { FromDatabaseThread, OpenFolder, ToDatabaseThread } from "./thread-protocol.ts";

/** The embedded database lives in its own thread: its promise chains never yield, so on the server's thread no timer
 *  would fire under load. */
const port = parentPort!;
const send = (message: FromDatabaseThread): void => port.postMessage(message);

/** Drizzle expects dates as the text the server sends. */
const textTypes = [types.TIMESTAMP, types.TIMESTAMPTZ, types.INTERVAL, types.DATE, 1231, 1115, 1185, 1187, 1182];
const parsers = Object.fromEntries(textTypes.map((type) => [type, (value: string) => value]));

interface OpenTransaction {
  transaction: Transaction;
  finish(commits: boolean): void;
  endId?: number;
}
const open = new Map<number, OpenTransaction>();
class RollBack extends Error {}

// Its code is compiled while the other thread finds out which folder to open.
const program = compileProgram();
program.catch(() => {});
port.once("message", ({ folder }: OpenFolder) => {
  openFolder(folder).catch((error) => {
    send({ type: "open-failed", message: error instanceof Error ? error.message : String(error) });
  });
});

type Program = NonNullable<PGliteOptions["pgliteWasmModule"]>;

/** Compiled once and not again: what V8's second compiler gains in the queries (a tenth at most) it takes from every start, a CPU
 *  second and 80 MB. Only up to Node 22; later ones compile each function at its first call and do not let go of the second. */
async function compileProgram(): Promise<Program> {
  // Part of Node, but its types come with those of browsers.
  const { WebAssembly } = globalThis as unknown as { WebAssembly: { compile(code: Uint8Array): Promise<Program> } };
  const code = await readFile(new URL("pglite.wasm", import.meta.resolve("@electric-sql/pglite")));
  setFlagsFromString("--liftoff-only");
  const program = await WebAssembly.compile(code);
  setFlagsFromString("--no-liftoff-only");
  return program;
}

async function openFolder(folder: string): Promise<void> {
  const database = await PGlite.create({
    fs: new DurableNodeFs(folder),
    startParams: durableStartParams(),
    pgliteWasmModule: await program,
    parsers,
  });
  await proveDurable(database);
  port.on("message", (call: ToDatabaseThread) => {
    answer(database, call).catch((error) => {
      send({ type: "failure", id: call.id, error: describe(error) });
      if (isFatal(error)) process.exit(1);
    });
  });
  send({ type: "opened" });
}

/** A version of PGlite that moved the file system would silently lose durability; better not to start. */
async function proveDurable(database: PGlite): Promise<void> {
  const before = fsyncs.count;
  await database.exec(
    "CREATE TABLE IF NOT EXISTS durability_probe (at timestamptz); INSERT INTO durability_probe VALUES (now()); DELETE FROM durability_probe;",
  );
  if (fsyncs.count === before) throw new Error("the embedded database does not reach the disk (no fsync was seen)");
}

async function answer(database: PGlite, call: ToDatabaseThread): Promise<void> {
  const done = (result: unknown): void => send({ type: "result", id: call.id, result });
  switch (call.op) {
    case "query": {
      const target = call.transaction === undefined ? database : getOpen(call.transaction).transaction;
      const { rows, affectedRows, fields } = await target.query(call.sql, call.parameters, { rowMode: call.rowMode });
      return done({ rows, affectedRows, fields });
    }
    case "exec": {
      const target = call.transaction === undefined ? database : getOpen(call.transaction).transaction;
      await target.exec(call.sql);
      return done(null);
    }
    case "begin":
      return begin(database, call);
    case "end": {
      const ending = getOpen(call.transaction);
      ending.endId = call.id;
      return ending.finish(call.commits);
    }
    case "listen":
      await database.listen(call.channel, (payload) => send({ type: "notification", channel: call.channel, payload }));
      return done(null);
    case "close":
      await database.close();
      return done(null);
  }
}

/** PGlite runs a transaction as one callback; here it stays open until the other thread says how it ends. Throws what goes wrong
 *  before it is open: nobody has asked for its end yet. */
function begin(database: PGlite, { id, transaction: name }: { id: number; transaction: number }): Promise<void> {
  return new Promise((resolve, reject) => {
    database
      .transaction(
        (transaction) =>
          new Promise<void>((commit, rollBack) => {
            open.set(name, { transaction, finish: (commits) => (commits ? commit() : rollBack(new RollBack())) });
            send({ type: "result", id, result: null });
            resolve();
          }),
      )
      .then(
        () => settle(name),
        (error) => {
          settle(name, error);
          reject(error);
        },
      );
  });
}

/** The database's program has aborted: whatever it is asked from now on would hang or fail. A new thread recovers the folder. */
function isFatal(error: unknown): boolean {
  const { name, severity } = error as { name?: string; severity?: string };
  return name === "RuntimeError" || name === "ExitStatus" || severity === "PANIC" || severity === "FATAL";
}

function settle(id: number, error?: unknown): void {
  const ended = open.get(id);
  open.delete(id);
  if (ended?.endId === undefined) return;
  if (error && !(error instanceof RollBack)) send({ type: "failure", id: ended.endId, error: describe(error) });
  else send({ type: "result", id: ended.endId, result: null });
}

function getOpen(id: number): OpenTransaction {
  const found = open.get(id);
  if (!found) throw new Error("the transaction has already ended");
  return found;
}

function describe(error: unknown): { message: string; [detail: string]: unknown } {
  const { message, code, detail, constraint, table, column, severity } = error as Record<string, unknown>;
  return { message: String(message), code, detail, constraint, table, column, severity };
}
