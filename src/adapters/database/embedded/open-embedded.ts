import { createHash } from "node:crypto";
import { chmodSync, copyFileSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { PGlite } from "@electric-sql/pglite";
import { drizzle } from "drizzle-orm/pglite";
import { packageRoot } from "../../../platform/package-root.ts";
import type { Database, Queries } from "../../../ports/database.ts";
import { migrate, readMigrations } from "../migrate.ts";
import { ThreadClient } from "./thread-client.ts";
import { startTidying } from "./tidy.ts";

/** Opens the database in `folder`, which the caller has locked: two openers would silently lose each other's writes. */
export async function openEmbedded(folder: string): Promise<Database> {
  if (!isCluster(folder)) await makeFolder(folder);
  return openFolder(folder);
}

async function openFolder(folder: string): Promise<Database> {
  const client = await ThreadClient.open(folder);
  const queries = drizzle({ client: client as unknown as PGlite }) as unknown as Queries;
  const tidying = startTidying(queries);
  return {
    kind: "embedded",
    queries,
    listen: (channel, onNotify) => client.listen(channel, onNotify),
    async notify(channel, payload) {
      await client.query("SELECT pg_notify($1, $2)", [channel, payload]);
    },
    close() {
      tidying.stop();
      return client.close();
    },
  };
}

/** A folder without the last of these was never finished by a version that made it in place; nothing was acknowledged in it. */
function isCluster(folder: string): boolean {
  return ["PG_VERSION", join("global", "pg_control")].every((file) => existsSync(join(folder, file)));
}

/** Made beside its place and then moved there, so that a start that is cut off leaves no half-made database. Creating a cluster
 *  takes nine CPU seconds and its tables one and a half, copying one that was made at build time a fraction of one. */
async function makeFolder(folder: string): Promise<void> {
  const making = `${folder}.making`;
  mkdirSync(dirname(folder), { recursive: true });
  rmSync(making, { recursive: true, force: true });
  if (!copyTemplate(making)) await (await ThreadClient.open(making)).close();
  closeToOthers(making);
  rmSync(folder, { recursive: true, force: true });
  renameSync(making, folder);
}

/** False when there is no template, or one that this user may not read. */
function copyTemplate(to: string): boolean {
  if (!existsSync(join(templateFolder(), "PG_VERSION"))) return false;
  try {
    copyFolder(templateFolder(), to);
    return true;
  } catch {
    rmSync(to, { recursive: true, force: true });
    return false;
  }
}

/** Of plain files and folders. Node's `cpSync` looks at each of the thousand from every side first, which takes half a CPU second. */
function copyFolder(from: string, to: string): void {
  mkdirSync(to);
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const copy = entry.isDirectory() ? copyFolder : copyFileSync;
    copy(join(from, entry.name), join(to, entry.name));
  }
}

/** The template may be anybody's to read; the database made from it is not. */
function closeToOthers(folder: string): void {
  setModes(folder, { folders: 0o700, files: 0o600 });
}

function setModes(folder: string, modes: { folders: number; files: number }): void {
  chmodSync(folder, modes.folders);
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) setModes(path, modes);
    else chmodSync(path, modes.files);
  }
}

const templateName = "database-template";

/** Named after the migrations that it holds: one that was built for others, perhaps newer ones, is never copied. */
export function templateFolder(): string {
  const migrations = createHash("sha256").update(JSON.stringify(readMigrations())).digest("hex").slice(0, 12);
  return join(packageRoot(), "node_modules", ".cache", "parlance", `${templateName}-${migrations}`);
}

/** Makes the template that later first starts copy, readable for whoever runs the server later. The build calls it.
 *  @public */
export async function makeTemplate(): Promise<void> {
  const template = templateFolder();
  if (existsSync(join(template, "PG_VERSION"))) return setModes(template, { folders: 0o755, files: 0o644 });
  const scratch = `${template}.${process.pid}`;
  rmSync(scratch, { recursive: true, force: true });
  mkdirSync(dirname(scratch), { recursive: true });
  const database = await openFolder(scratch);
  await migrate(database);
  await database.close();
  setModes(scratch, { folders: 0o755, files: 0o644 });
  for (const old of readdirSync(dirname(template)).filter((name) => name.startsWith(templateName)))
    if (old !== basename(scratch)) rmSync(join(dirname(template), old), { recursive: true, force: true });
  renameSync(scratch, template);
}
