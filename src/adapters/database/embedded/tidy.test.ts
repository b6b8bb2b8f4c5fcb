import { randomBytes } from "node:crypto";
import { mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import { expect, it } from "vitest";
import { openEmbedded } from "./open-embedded.ts";
import { tidy } from "./tidy.ts";

function bytesUnder(folder: string): number {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0);
}

it("the disk that deleted rows took comes back, and the log of their writing is removed", async () => {
  const folder = mkdtempSync(join(tmpdir(), "parlance-tidy-"));
  const database = await openEmbedded(join(folder, "db"));
  const run = (text: string) => database.queries.execute(sql.raw(text));
  await run("CREATE TABLE documents (bytes bytea)");
  await run("ALTER TABLE documents ALTER bytes SET STORAGE EXTERNAL");
  await tidy(database.queries);
  const before = bytesUnder(folder);
  const text = randomBytes(256_000).toString("base64");
  await database.queries.execute(
    sql`INSERT INTO documents SELECT decode(${text}::text, 'base64') FROM generate_series(1, 120)`,
  );
  expect(bytesUnder(folder) - before).toBeGreaterThan(50_000_000);
  await run("DELETE FROM documents");
  // Once for the rows, and once more for the log of their removal.
  await tidy(database.queries);
  await tidy(database.queries);
  const segments = 3 * 16 * 1024 * 1024;
  expect(bytesUnder(folder) - before).toBeLessThan(segments);
  await database.close();
  rmSync(folder, { recursive: true, force: true });
}, 120_000);
