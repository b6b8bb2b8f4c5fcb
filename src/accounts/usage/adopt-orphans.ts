import { readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { eq } from "drizzle-orm";
import { describeError } from "../../platform/database-error.ts";
import { isOthers, parseLines } from "../../platform/journal-files.ts";
import type { Log } from "../../platform/log.ts";
import type { Queries } from "../../ports/database.ts";
import { usageMarks } from "../tables.ts";
import { bringInRecords } from "./bring-in-records.ts";
import type { UsageRecord } from "./record.ts";
import { UsageGroups } from "./usage-groups.ts";

/** Brings in the journals of processes that are no more, each run's in their order. One that cannot be brought in stays for a
 *  later start and never keeps this one from going on. */
export async function adoptOrphans(queries: Queries, folder: string, log: Log): Promise<void> {
  const orphans = readdirSync(folder)
    .flatMap((name) => {
      const [, generation, run] = /^[\d.]+-(\d+)-(\w+)\.ndjson$/.exec(name) ?? [];
      return run ? [{ name, path: join(folder, name), generation: Number(generation), run }] : [];
    })
    .filter(({ name }) => !isOthers(name))
    .sort((a, b) => a.generation - b.generation);
  const left = new Set<string>();
  for (const { path, run, generation } of orphans) {
    try {
      await adopt(path, run, generation);
    } catch (error) {
      left.add(run);
      log.error(
        { file: path, error: describeError(error) },
        "usage records of an earlier process wait for a later start",
      );
    }
  }
  // Only now: without its mark a journal that is still there would come in again.
  for (const run of new Set(orphans.map((orphan) => orphan.run))) if (!left.has(run)) await forgetRun(queries, run);

  async function adopt(path: string, run: string, generation: number): Promise<void> {
    const records = new UsageGroups();
    for (const record of parseLines<UsageRecord>(readFileSync(path, "utf8")).filter(isRecord)) records.add(record);
    if (!records.isEmpty) {
      const count = await bringInRecords({ queries, folder, log }, records, run, generation);
      log.info({ records: count }, "usage records of an earlier process recovered");
    }
    rmSync(path, { force: true });
  }
}

export async function forgetRun(queries: Queries, run: string): Promise<void> {
  await queries.delete(usageMarks).where(eq(usageMarks.journal, run));
}

/** A damaged disk may leave anything in a line that is still JSON. */
function isRecord(value: unknown): value is UsageRecord {
  const { at, route, status } = (value ?? {}) as Partial<UsageRecord>;
  return Number.isFinite(at) && typeof route === "string" && Number.isInteger(status);
}
