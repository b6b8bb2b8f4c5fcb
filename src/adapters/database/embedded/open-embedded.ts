import { cpSync, existsSync, mkdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import type { PGlite } from "@electric-sql/pglite";
import { drizzle } from "drizzle-orm/pglite";
import { packageRoot } from "../../../platform/package-root.ts";
import type { Database, Queries } from "../../../ports/database.ts";
import { ThreadClient } from "./thread-client.ts";

/** Opens the database in `folder`, which the caller has locked: two openers would silently lose each other's writes. */
export async function openEmbedded(folder: string): Promise<Database> {
  if (!existsSync(join(folder, "PG_VERSION"))) prepareFolder(folder);
  const client = await ThreadClient.open(folder);
  return {
    kind: "embedded",
    queries: drizzle({ client: client as unknown as PGlite }) as unknown as Queries,
    listen: (channel, onNotify) => client.listen(channel, onNotify),
    async notify(channel, payload) {
      await client.query("SELECT pg_notify($1, $2)", [channel, payload]);
    },
    close: () => client.close(),
  };
}

/** Creating a cluster takes nine CPU seconds, copying one that was made at build time a fraction of one. */
function prepareFolder(folder: string): void {
  mkdirSync(dirname(folder), { recursive: true });
  // A first start that was cut off in the middle leaves a folder without its last file; nothing was acknowledged in it.
  rmSync(folder, { recursive: true, force: true });
  const template = templateFolder();
  if (existsSync(join(template, "PG_VERSION"))) cpSync(template, folder, { recursive: true });
  else mkdirSync(folder, { recursive: true });
}

export function templateFolder(): string {
  return join(packageRoot(), "node_modules", ".cache", "parlance", "database-template");
}

/** Makes the template that later first starts copy. The build calls it.
 *  @public */
export async function makeTemplate(): Promise<void> {
  const template = templateFolder();
  if (existsSync(join(template, "PG_VERSION"))) return;
  const scratch = `${template}.${process.pid}`;
  rmSync(scratch, { recursive: true, force: true });
  mkdirSync(scratch, { recursive: true });
  await (await ThreadClient.open(scratch)).close();
  cpSync(scratch, template, { recursive: true });
  rmSync(scratch, { recursive: true, force: true });
}
