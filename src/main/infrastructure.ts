import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { sql } from "drizzle-orm";
import { migrate } from "../adapters/database/migrate.ts";
import { Problem } from "../platform/errors.ts";
import type { PlatformLog } from "../platform/log.ts";
import { packageRoot } from "../platform/package-root.ts";
import { type Settings, usesPostgres } from "../platform/settings/settings.ts";
import type { Database, Queries } from "../ports/database.ts";
import { type AdminHandler, ownDataFolder } from "./admin-socket.ts";
import { closeToOthers, FolderInUse, prepareDataFolder, StartError } from "./data-folder.ts";
import { checkInstallation, folderId, markFolder, settleInstallation } from "./installation-id.ts";

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

/** What a database is opened for. A server and `migrate` make an installation where there is none, `restore` fills one, every other
 *  command uses the one that is there, and `doctor` only looks. */
export type Purpose = "serve" | "migrate" | "restore" | "use" | "look";

/** Opens the database that the settings name, alone where it must be, and up to date unless it is only looked at. */
export async function openDatabase(
  settings: Settings,
  log: PlatformLog,
  handle: AdminHandler,
  purpose: Purpose = "serve",
): Promise<OpenDatabase> {
  const { dataDir, databaseUrl } = settings.storage;
  if (usesPostgres(settings)) {
    const { openPostgres } = await import("../adapters/database/open-postgres.ts");
    const database = await openPostgres(databaseUrl!, log).catch((error) => {
      throw new StartError(`The PostgreSQL server of SVC_DATABASE_URL cannot be used: ${describe(error)}.`);
    });
    const socket = purpose === "serve" ? await answerCommands(dataDir, handle) : undefined;
    return finish(database, settings, purpose, async () => socket?.close());
  }
  const folder = embeddedFolder(settings);
  if (!existsSync(folder)) refuseToMake(dataDir, folder, purpose);
  prepareDataFolder(dataDir);
  const lock = await ownDataFolder(dataDir, handle);
  const { openEmbedded } = await import("../adapters/database/embedded/open-embedded.ts");
  const database = await openEmbedded(folder).catch(async (error) => {
    await lock.close();
    throw new StartError(`The embedded database in ${folder} cannot be opened: ${describe(error)}.`);
  });
  closeToOthers(folder);
  return finish(database, settings, purpose, () => lock.close());
}

/** An empty database instead of the one that somebody means looks like lost data. */
function refuseToMake(dataDir: string, folder: string, purpose: Purpose): void {
  if (purpose === "restore") return;
  if (folderId(dataDir) !== undefined) {
    throw new StartError(
      `The data folder ${dataDir} belongs to an installation whose database is not in ${folder}. If it is a PostgreSQL server, set SVC_DATABASE_URL as its server has it; if it is lost, restore a backup.`,
    );
  }
  if (purpose === "use") {
    throw new StartError(
      `There is no database in ${folder}. ./start makes it, or ./parlance migrate. If your data is elsewhere, set SVC_DATA_DIR or SVC_DATABASE_URL.`,
    );
  }
}

/** Commands reach the server through its data folder. Of two servers of one PostgreSQL that share a folder, the first answers. */
async function answerCommands(dataDir: string, handle: AdminHandler): Promise<{ close(): Promise<void> } | undefined> {
  return ownDataFolder(dataDir, handle).catch((error) => {
    if (error instanceof FolderInUse) return undefined;
    throw error;
  });
}

async function finish(
  database: Database,
  settings: Settings,
  purpose: Purpose,
  unlock: () => Promise<void>,
): Promise<OpenDatabase> {
  const { dataDir } = settings.storage;
  const close = async () => {
    await database.close();
    await unlock();
  };
  try {
    const { queries } = database;
    const where = usesPostgres(settings) ? "of SVC_DATABASE_URL" : `in ${embeddedFolder(settings)}`;
    // Before anything is changed: it may be somebody else's.
    if (purpose !== "restore") await checkInstallation(queries, dataDir, where);
    if (purpose === "use") await requireTables(queries, where);
    const applied = purpose === "look" ? [] : await migrate(database);
    if (purpose === "serve" || purpose === "migrate") {
      await settleInstallation(queries, dataDir);
      await markFolder(queries, dataDir);
    }
    return { database, applied, close };
  } catch (error) {
    await close();
    throw error instanceof StartError ? error : new StartError(`The database cannot be used: ${describe(error)}.`);
  }
}

async function requireTables(queries: Queries, where: string): Promise<void> {
  const { rows } = await queries.execute<{ name: string | null }>(
    sql`SELECT to_regclass('schema_migrations')::text AS name`,
  );
  if (rows[0]?.name == null)
    throw new StartError(`The database ${where} holds no installation. ./start makes it, or ./parlance migrate.`);
}

function describe(error: unknown): string {
  const { message, code, cause } = error as { message?: string; code?: string; cause?: unknown };
  return (message || code || describe(cause)).replace(/\.$/, "");
}
