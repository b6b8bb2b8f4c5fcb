import { isDataError } from "../../platform/database-error.ts";
import { isolateBad } from "../../platform/isolate-bad.ts";
import { quarantine } from "../../platform/journal-files.ts";
import type { Log } from "../../platform/log.ts";
import type { Queries } from "../../ports/database.ts";
import { UsageGroups } from "./usage-groups.ts";

class Undone extends Error {}

/** Brings a journal's records into the database, and returns how many. Records that the database will never take go into
 *  quarantine, so that they hold up no others. Throws when the database cannot be asked. */
export async function bringInRecords(
  parts: { queries: Queries; folder: string; log: Log },
  records: UsageGroups,
  journal: string,
  position: number,
): Promise<number> {
  const { queries, folder, log } = parts;
  try {
    await records.insert(queries, journal, position);
    return records.size;
  } catch (error) {
    if (!isDataError(error)) throw error;
  }
  const { good, bad } = await isolateBad(records.list(), tryOut, isDataError);
  const path = quarantine(
    folder,
    bad.map(({ item }) => item),
  );
  log.error({ records: bad.length, file: path }, "usage records that the database refuses are in quarantine");
  await UsageGroups.of(good).insert(queries, journal, position);
  return good.length;

  async function tryOut(some: Parameters<typeof UsageGroups.of>[0]): Promise<void> {
    await queries
      .transaction(async (transaction) => {
        await UsageGroups.of(some).insert(transaction, journal, position);
        throw new Undone();
      })
      .catch((error) => {
        if (!(error instanceof Undone)) throw error;
      });
  }
}
