import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeSync } from "node:fs";
import { type FileHandle, open, rm } from "node:fs/promises";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import { isAlive, parseLines } from "../../platform/journal-files.ts";
import type { Log } from "../../platform/log.ts";
import type { Queries } from "../../ports/database.ts";
import type { UsageRecord } from "./record.ts";

export interface UsageWriter {
  /** Returns at once; before the event loop turns, the record is where a crash of the process cannot reach it. */
  write(record: UsageRecord): void;
  flush(): Promise<void>;
  close(): Promise<void>;
}

const flushEveryMs = 1000;
const batchSize = 2000;

/** Keeps usage records in a small journal file until the database has them. A killed process leaves its journal behind
 *  and the next start brings it in; ids make it harmless to bring in the same record twice. */
export async function createUsageWriter(queries: Queries, dataDir: string, log: Log): Promise<UsageWriter> {
  const folder = join(dataDir, "usage");
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  await adoptOrphans(queries, folder, log);

  let generation = 0;
  let journal = await openJournal();
  /** Records as lines of JSON: those that no journal holds yet, and those of the present one. */
  let unwritten = "";
  let waiting: string[] = [];
  let flushing: Promise<void> = Promise.resolve();
  /** Journals whose records the database would not take yet. */
  const kept: { path: string; records: string[] }[] = [];
  const timer = setInterval(() => void flush(), flushEveryMs);
  timer.unref();
  process.on("exit", writeDown);

  // Files are made and removed off this thread: on a busy disk either may take many milliseconds.
  async function openJournal(): Promise<{ path: string; file: FileHandle }> {
    generation += 1;
    const path = join(folder, `${process.pid}-${Date.now()}-${generation}.ndjson`);
    return { path, file: await open(path, "ax", 0o600) };
  }

  function write(record: UsageRecord): void {
    const line = JSON.stringify(record);
    waiting.push(line);
    // One write call for the requests that end in one turn of the event loop: under load there are many of them.
    if (unwritten === "") setImmediate(writeDown);
    unwritten += `${line}\n`;
  }

  function writeDown(): void {
    if (unwritten === "") return;
    const lines = unwritten;
    unwritten = "";
    writeSync(journal.file.fd, lines);
  }

  function flush(): Promise<void> {
    flushing = flushing.then(async () => {
      if (waiting.length > 0) {
        const next = await openJournal();
        writeDown();
        const full = journal;
        kept.push({ path: full.path, records: waiting });
        waiting = [];
        journal = next;
        await full.file.close();
      }
      await bringIn();
    });
    return flushing;
  }

  async function bringIn(): Promise<void> {
    for (let oldest = kept[0]; oldest; oldest = kept[0]) {
      try {
        await insertAll(queries, oldest.records);
      } catch (error) {
        // They stay in memory for the next attempt and on disk for the next start.
        log.error({ error: (error as Error).message, batches: kept.length }, "usage records wait for the database");
        return;
      }
      await rm(oldest.path, { force: true });
      kept.shift();
    }
  }

  return {
    write,
    flush,
    async close() {
      clearInterval(timer);
      await flush();
      process.off("exit", writeDown);
      await journal.file.close();
      await rm(journal.path, { force: true });
    },
  };
}

/** One parameter for the whole batch: building a statement with a placeholder per value cost more than the request itself. */
async function insertAll(queries: Queries, records: string[]): Promise<void> {
  for (let from = 0; from < records.length; from += batchSize) {
    const batch = `[${records.slice(from, from + batchSize).join(",")}]`;
    await queries.execute(sql`
      INSERT INTO usage_records (id, at, workspace_id, key_id, service, route, status, duration_ms, voice, language, model,
        input_tokens, output_tokens, cached_tokens, audio_ms)
      SELECT id, at, "workspaceId", "keyId", service, route, status, "durationMs", voice, language, model,
        "inputTokens", "outputTokens", "cachedTokens", "audioMs"
      FROM json_to_recordset(${batch}::json) AS record (id text, at timestamptz, "workspaceId" text, "keyId" text,
        service text, route text, status integer, "durationMs" integer, voice text, language text, model text,
        "inputTokens" integer, "outputTokens" integer, "cachedTokens" integer, "audioMs" integer)
      ON CONFLICT (id) DO NOTHING`);
  }
}

/** Journals of processes that are no more. */
async function adoptOrphans(queries: Queries, folder: string, log: Log): Promise<void> {
  for (const name of readdirSync(folder).filter((file) => file.endsWith(".ndjson"))) {
    const pid = Number.parseInt(name, 10);
    if (pid !== process.pid && isAlive(pid)) continue;
    const path = join(folder, name);
    const records = parseLines<UsageRecord>(readFileSync(path, "utf8"));
    if (records.length > 0) {
      await insertAll(
        queries,
        records.map((record) => JSON.stringify(record)),
      );
      log.info({ records: records.length }, "usage records of an earlier process recovered");
    }
    if (existsSync(path)) rmSync(path);
  }
}
