import { mkdirSync, readdirSync, readFileSync, rmSync, writeSync } from "node:fs";
import { type FileHandle, open, rm } from "node:fs/promises";
import { join } from "node:path";
import { eq } from "drizzle-orm";
import { newId } from "../../platform/ids.ts";
import { isAlive, parseLines } from "../../platform/journal-files.ts";
import type { Log } from "../../platform/log.ts";
import type { Queries } from "../../ports/database.ts";
import { usageMarks } from "../tables.ts";
import type { UsageRecord } from "./record.ts";
import { UsageGroups } from "./usage-groups.ts";

export interface UsageWriter {
  /** Returns at once; before the event loop turns, the record is where a crash of the process cannot reach it. */
  write(record: UsageRecord): void;
  flush(): Promise<void>;
  close(): Promise<void>;
}

const flushEveryMs = 1000;

/** Keeps usage records in a small journal file until the database has them. A killed process leaves its journals behind and the
 *  next start brings them in; the database marks which ones it has, so that none comes in twice. */
export async function createUsageWriter(queries: Queries, dataDir: string, log: Log): Promise<UsageWriter> {
  const folder = join(dataDir, "usage");
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  await adoptOrphans(queries, folder, log);

  const run = newId("usage_", 12);
  let generation = 0;
  let journal = await openJournal();
  /** Lines that no journal holds yet. */
  let unwritten = "";
  /** The records of the present journal. */
  let waiting = new UsageGroups();
  let flushing: Promise<void> = Promise.resolve();
  /** Journals whose records the database would not take yet. */
  const kept: { path: string; generation: number; records: UsageGroups }[] = [];
  const timer = setInterval(() => void flush(), flushEveryMs);
  timer.unref();
  process.on("exit", writeDown);

  // Files are made and removed off this thread: on a busy disk either may take many milliseconds.
  async function openJournal(): Promise<{ path: string; file: FileHandle; generation: number }> {
    generation += 1;
    const path = join(folder, `${process.pid}-${generation}-${run}.ndjson`);
    return { path, file: await open(path, "ax", 0o600), generation };
  }

  function write(record: UsageRecord): void {
    // One write call for the requests that end in one turn of the event loop: under load there are many of them.
    if (unwritten === "") setImmediate(writeDown);
    unwritten += waiting.add(record);
  }

  function writeDown(): void {
    if (unwritten === "") return;
    const lines = unwritten;
    unwritten = "";
    writeSync(journal.file.fd, lines);
  }

  function flush(): Promise<void> {
    flushing = flushing.then(async () => {
      if (!waiting.isEmpty) {
        const next = await openJournal();
        writeDown();
        const full = journal;
        kept.push({ path: full.path, generation: full.generation, records: waiting });
        waiting = new UsageGroups();
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
        await oldest.records.insert(queries, run, oldest.generation);
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
      if (kept.length === 0) await forgetRun(queries, run);
    },
  };
}

/** Journals of processes that are no more, each run's in their order. */
async function adoptOrphans(queries: Queries, folder: string, log: Log): Promise<void> {
  const orphans = readdirSync(folder)
    .flatMap((name) => {
      const [, pid, generation, run] = /^(\d+)-(\d+)-(\w+)\.ndjson$/.exec(name) ?? [];
      return run ? [{ path: join(folder, name), pid: Number(pid), generation: Number(generation), run }] : [];
    })
    .filter(({ pid }) => pid === process.pid || !isAlive(pid))
    .sort((a, b) => a.generation - b.generation);
  for (const { path, run, generation } of orphans) {
    const records = new UsageGroups();
    const lines = parseLines<UsageRecord>(readFileSync(path, "utf8"));
    for (const record of lines) records.add(record);
    if (!records.isEmpty) {
      await records.insert(queries, run, generation);
      log.info({ records: lines.length }, "usage records of an earlier process recovered");
    }
    rmSync(path, { force: true });
  }
  // Only now: without its mark a journal that is still there would come in again.
  for (const run of new Set(orphans.map((orphan) => orphan.run))) await forgetRun(queries, run);
}

async function forgetRun(queries: Queries, run: string): Promise<void> {
  await queries.delete(usageMarks).where(eq(usageMarks.journal, run));
}
