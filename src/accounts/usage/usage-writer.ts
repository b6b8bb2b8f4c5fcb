import { mkdirSync } from "node:fs";
import { type FileHandle, open, rm } from "node:fs/promises";
import { join } from "node:path";
import { describeError } from "../../platform/database-error.ts";
import type { Health } from "../../platform/health.ts";
import { newId } from "../../platform/ids.ts";
import { LineFile, processName } from "../../platform/journal-files.ts";
import type { Log } from "../../platform/log.ts";
import type { Queries } from "../../ports/database.ts";
import { adoptOrphans, forgetRun } from "./adopt-orphans.ts";
import { bringInRecords } from "./bring-in-records.ts";
import type { UsageRecord } from "./record.ts";
import { UsageGroups } from "./usage-groups.ts";

export interface UsageWriter {
  /** Returns at once; before the event loop turns, the record is where a crash of the process cannot reach it. */
  write(record: UsageRecord): void;
  /** At once: what was written is out of a crash's reach when this returns. */
  sync(): void;
  /** Calls back for every record of this process from now on. Returns how to stop. */
  watch(tell: (record: UsageRecord) => void): () => void;
  flush(): Promise<void>;
  close(): Promise<void>;
}

const flushEveryMs = 1000;
const part = "usage journal";

/** Keeps usage records in a small journal file until the database has them. A killed process leaves its journals behind and the
 *  next start brings them in; the database marks which ones it has, so that none comes in twice. */
export async function createUsageWriter(
  queries: Queries,
  dataDir: string,
  log: Log,
  health: Health,
): Promise<UsageWriter> {
  const folder = join(dataDir, "usage");
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  await adoptOrphans(queries, folder, log);

  const run = newId("usage_", 12);
  let generation = 0;
  let journal = await openJournal();
  /** Lines that no journal holds yet. */
  let unwritten = "";
  const watchers = new Set<(record: UsageRecord) => void>();
  /** The records of the present journal. */
  let waiting = new UsageGroups();
  let flushing: Promise<void> = Promise.resolve();
  /** Journals whose records the database would not take yet. */
  const kept: { path: string; generation: number; records: UsageGroups }[] = [];
  const timer = setInterval(() => void flush(), flushEveryMs);
  timer.unref();
  process.on("exit", writeDown);

  // Files are made and removed off this thread: on a busy disk either may take many milliseconds.
  async function openJournal(): Promise<{ lines: LineFile; file: FileHandle; generation: number }> {
    generation += 1;
    const path = join(folder, `${processName()}-${generation}-${run}.ndjson`);
    const file = await open(path, "ax", 0o600);
    return { lines: new LineFile(path, file.fd), file, generation };
  }

  function write(record: UsageRecord): void {
    // One write call for the requests that end in one turn of the event loop: under load there are many of them.
    if (unwritten === "") setImmediate(writeDown);
    unwritten += waiting.add(record);
    for (const tell of watchers) tell(record);
  }

  function writeDown(): void {
    const lines = unwritten;
    unwritten = "";
    try {
      journal.lines.append(lines);
      health.report(part, undefined);
    } catch (error) {
      health.report(part, describeError(error));
    }
  }

  function flush(): Promise<void> {
    flushing = flushing
      .then(async () => {
        // Also tries again to write what a full disk did not take.
        writeDown();
        if (!waiting.isEmpty) await startNextJournal();
        await bringIn();
      })
      .catch((error) => health.report(part, describeError(error)));
    return flushing;
  }

  async function startNextJournal(): Promise<void> {
    const next = await openJournal();
    writeDown();
    const full = journal;
    kept.push({ path: full.lines.path, generation: full.generation, records: waiting });
    waiting = new UsageGroups();
    journal = next;
    await full.file.close();
  }

  async function bringIn(): Promise<void> {
    for (let oldest = kept[0]; oldest; oldest = kept[0]) {
      try {
        await bringInRecords({ queries, folder, log }, oldest.records, run, oldest.generation);
      } catch (error) {
        // They stay in memory for the next attempt and on disk for the next start.
        log.error({ error: describeError(error), batches: kept.length }, "usage records wait for the database");
        return;
      }
      await rm(oldest.path, { force: true });
      kept.shift();
    }
  }

  return {
    write,
    sync() {
      if (unwritten !== "") writeDown();
    },
    watch(tell) {
      watchers.add(tell);
      return () => watchers.delete(tell);
    },
    flush,
    async close() {
      clearInterval(timer);
      await flush();
      process.off("exit", writeDown);
      await journal.file.close();
      // What the database has not taken is left for the next start.
      if (kept.length > 0 || !waiting.isEmpty) return;
      await rm(journal.lines.path, { force: true });
      await forgetRun(queries, run);
    },
  };
}
