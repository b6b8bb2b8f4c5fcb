import { join } from "node:path";
import { migrate } from "../adapters/database/migrate.ts";
import { Problem } from "../platform/errors.ts";
import type { PlatformLog } from "../platform/log.ts";
import { type Settings, usesPostgres } from "../platform/settings/settings.ts";
import type { Database } from "../ports/database.ts";
import { type AdminHandler, ownDataFolder } from "./admin-socket.ts";
import { closeToOthers, prepareDataFolder, StartError } from "./data-folder.ts";

export interface OpenDatabase {
  database: Database;
  applied: string[];
  close(): Promise<void>;
}

export interface Opening {
  opened: Promise<OpenDatabase>;
  /** Who answers commands from now on; until then callers are asked to come back. */
  onCommand(handle: AdminHandler): void;
}

/** Lets the database open in its own thread while the caller goes on with other things. */
export function beginOpening(settings: Settings, log: PlatformLog): Opening {
  let handle: AdminHandler = async () => {
    throw new Problem("service_unavailable", "The server is still starting. Try again in a moment.");
  };
  const opened = openDatabase(settings, log, (command, input) => handle(command, input));
  // Whoever awaits it hears of a failure; until then it must not end the process.
  opened.catch(() => {});
  return {
    opened,
    onCommand(next) {
      handle = next;
    },
  };
}

/** Opens the database that the settings name, alone where it must be, and up to date. */
export async function openDatabase(settings: Settings, log: PlatformLog, handle: AdminHandler): Promise<OpenDatabase> {
  const { dataDir, databaseUrl } = settings.storage;
  prepareDataFolder(dataDir);
  if (usesPostgres(settings)) {
    const { openPostgres } = await import("../adapters/database/open-postgres.ts");
    const database = await openPostgres(databaseUrl!, log).catch((error) => {
      throw new StartError(`The PostgreSQL server of SVC_DATABASE_URL cannot be used: ${describe(error)}.`);
    });
    return finish(database, async () => {});
  }
  const lock = await ownDataFolder(dataDir, handle);
  const folder = databaseUrl?.replace(/^file:(\/\/)?/, "") ?? join(dataDir, "db");
  const { openEmbedded } = await import("../adapters/database/embedded/open-embedded.ts");
  const database = await openEmbedded(folder).catch(async (error) => {
    await lock.close();
    throw new StartError(`The embedded database in ${folder} cannot be opened: ${describe(error)}.`);
  });
  closeToOthers(folder);
  return finish(database, () => lock.close());
}

async function finish(database: Database, unlock: () => Promise<void>): Promise<OpenDatabase> {
  const close = async () => {
    await database.close();
    await unlock();
  };
  try {
    return { database, applied: await migrate(database), close };
  } catch (error) {
    await close();
    throw new StartError(`The database cannot be used: ${describe(error)}.`);
  }
}

function describe(error: unknown): string {
  const { message, code, cause } = error as { message?: string; code?: string; cause?: unknown };
  return (message || code || describe(cause)).replace(/\.$/, "");
}
