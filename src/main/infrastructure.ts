import { join, resolve } from "node:path";
import { migrate } from "../adapters/database/migrate.ts";
import { Problem } from "../platform/errors.ts";
import type { PlatformLog } from "../platform/log.ts";
import { packageRoot } from "../platform/package-root.ts";
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
  const opened = (async () => {
    // A server keeps its journals here, whatever the database.
    prepareDataFolder(settings.storage.dataDir);
    return openDatabase(settings, log, (command, input) => handle(command, input));
  })();
  // Whoever awaits it hears of a failure; until then it must not end the process.
  opened.catch(() => {});
  return {
    opened,
    onCommand(next) {
      handle = next;
    },
  };
}

/** Where the embedded database is, or will be. */
export function embeddedFolder({ storage }: Settings): string {
  const named = storage.databaseUrl?.replace(/^file:(\/\/)?/, "");
  return named ? resolve(packageRoot(), named) : join(storage.dataDir, "db");
}

/** Opens the database that the settings name, alone where it must be, and up to date unless it is only looked at. */
export async function openDatabase(
  settings: Settings,
  log: PlatformLog,
  handle: AdminHandler,
  isOnlyLook = false,
): Promise<OpenDatabase> {
  const { dataDir, databaseUrl } = settings.storage;
  if (usesPostgres(settings)) {
    const { openPostgres } = await import("../adapters/database/open-postgres.ts");
    const database = await openPostgres(databaseUrl!, log).catch((error) => {
      throw new StartError(`The PostgreSQL server of SVC_DATABASE_URL cannot be used: ${describe(error)}.`);
    });
    return finish(database, async () => {}, isOnlyLook);
  }
  prepareDataFolder(dataDir);
  const lock = await ownDataFolder(dataDir, handle);
  const folder = embeddedFolder(settings);
  const { openEmbedded } = await import("../adapters/database/embedded/open-embedded.ts");
  const database = await openEmbedded(folder).catch(async (error) => {
    await lock.close();
    throw new StartError(`The embedded database in ${folder} cannot be opened: ${describe(error)}.`);
  });
  closeToOthers(folder);
  return finish(database, () => lock.close(), isOnlyLook);
}

async function finish(database: Database, unlock: () => Promise<void>, isOnlyLook: boolean): Promise<OpenDatabase> {
  const close = async () => {
    await database.close();
    await unlock();
  };
  try {
    return { database, applied: isOnlyLook ? [] : await migrate(database), close };
  } catch (error) {
    await close();
    throw new StartError(`The database cannot be used: ${describe(error)}.`);
  }
}

function describe(error: unknown): string {
  const { message, code, cause } = error as { message?: string; code?: string; cause?: unknown };
  return (message || code || describe(cause)).replace(/\.$/, "");
}
