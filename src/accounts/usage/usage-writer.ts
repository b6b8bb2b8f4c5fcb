import { closeSync, existsSync, mkdirSync, openSync, readdirSync, readFileSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import { isAlive, parseLines } from "../../platform/journal-files.ts";
import type { Log } from "../../platform/log.ts";
import type { Queries } from "../../ports/database.ts";
import type { UsageRecord } from "./record.ts";

export interface UsageWriter {
  /** Returns at once; the record survives a crash of the process from here on. */
  write(record: UsageRecord): void;
  flush(): Promise<void>;
  close(): Promise<void>;
}

const flushEveryMs = 500;
const batchSize = 2000;

/** Keeps usage records in a small journal file until the database has them. A killed process leaves its journal behind
 *  and the next start brings it in; ids make it harmless to bring in the same record twice. */
export async function createUsageWriter(queries: Queries, dataDir: string, log: Log): Promise<UsageWriter> {
  const folder = join(dataDir, "usage");
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  await adoptOrphans(queries, folder, log);

  let generation = 0;
  let journal = openJournal();
  let waiting: UsageRecord[] = [];
  let flushing: Promise<void> = Promise.resolve();
  /** Journals whose records the database would not take yet. */
  const kept: { path: string; records: UsageRecord[] }[] = [];
  const timer = setInterval(() => void flush(), flushEveryMs);
  timer.unref();

  function openJournal(): { path: string; file: number } {
    generation += 1;
    const path = join(folder, `${process.pid}-${Date.now()}-${generation}.ndjson`);
    return { path, file: openSync(path, "ax", 0o600) };
  }

  function write(record: UsageRecord): void {
    // One write call per record: it is in the kernel's hands before the reply leaves, and costs a few microseconds.
    writeSync(journal.file, `${JSON.stringify(record)}\n`);
    waiting.push(record);
  }

  function flush(): Promise<void> {
    flushing = flushing.then(async () => {
      if (waiting.length > 0) {
        closeSync(journal.file);
        kept.push({ path: journal.path, records: waiting });
        waiting = [];
        journal = openJournal();
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
      rmSync(oldest.path, { force: true });
      kept.shift();
    }
  }

  return {
    write,
    flush,
    async close() {
      clearInterval(timer);
      await flush();
      closeSync(journal.file);
      rmSync(journal.path, { force: true });
    },
  };
}

/** One parameter for the whole batch: building a statement with a placeholder per value cost more than the request itself. */
async function insertAll(queries: Queries, records: UsageRecord[]): Promise<void> {
  for (let from = 0; from < records.length; from += batchSize) {
    const batch = JSON.stringify(records.slice(from, from + batchSize));
    await queries.execute(sql`
      INSERT INTO usage_records (id, at, workspace_id, key_id, service, route, status, duration_ms, voice, language, model,
        input_tokens, output_tokens, cached_tokens, audio_ms)
      SELECT id, at, "workspaceId", "keyId", service, route, status, "durationMs", voice, language, model,
        "inputTokens", "outputTokens", "cachedTokens", "audioMs"
      FROM jsonb_to_recordset(${batch}::jsonb) AS record (id text, at timestamptz, "workspaceId" text, "keyId" text,
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
      await insertAll(queries, records);
      log.info({ records: records.length }, "usage records of an earlier process recovered");
    }
    if (existsSync(path)) rmSync(path);
  }
}
