import { sql } from "drizzle-orm";
import type { Queries } from "../../ports/database.ts";

export interface TableShape {
  readonly name: string;
  readonly columns: readonly { readonly name: string; readonly type: string }[];
}

/** What each database keeps about itself, and what is forgotten within the hour anyway. */
const ownOfDatabase = ["schema_migrations", "durability_probe", "rate_windows", "replay_claims", "token_uses"];

/** Every table of ours, those that others refer to first. Views show what tables hold, and come by themselves. */
export async function listTables(queries: Queries): Promise<TableShape[]> {
  const { rows } = await queries.execute<{ name: string; column: string; type: string }>(sql`
    SELECT c.relname AS name, a.attname AS column, format_type(a.atttypid, a.atttypmod) AS type
    FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
    WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind = 'r' AND a.attnum > 0
      AND NOT a.attisdropped AND a.attgenerated = ''
    ORDER BY c.relname, a.attnum`);
  const tables = new Map<string, { name: string; columns: { name: string; type: string }[] }>();
  for (const { name, column, type } of rows) {
    const table = tables.get(name) ?? { name, columns: [] };
    table.columns.push({ name: column, type });
    tables.set(name, table);
  }
  for (const name of ownOfDatabase) tables.delete(name);
  const references = await queries.execute<{ child: string; parent: string }>(sql`
    SELECT child.relname AS child, parent.relname AS parent FROM pg_constraint k
    JOIN pg_class child ON child.oid = k.conrelid JOIN pg_class parent ON parent.oid = k.confrelid
    WHERE k.contype = 'f' AND k.connamespace = current_schema()::regnamespace`);
  return sortByReference([...tables.values()], references.rows);
}

export function sortByReference(
  tables: readonly TableShape[],
  references: readonly { child: string; parent: string }[],
): TableShape[] {
  const sorted: TableShape[] = [];
  const visit = (table: TableShape | undefined, path: readonly string[]) => {
    if (!table || sorted.includes(table) || path.includes(table.name)) return;
    for (const { child, parent } of references) {
      if (child === table.name) {
        visit(
          tables.find(({ name }) => name === parent),
          [...path, table.name],
        );
      }
    }
    sorted.push(table);
  };
  for (const table of tables) visit(table, []);
  return sorted;
}

export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
