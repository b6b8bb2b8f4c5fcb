import { and, desc, eq, getTableColumns, lt, or } from "drizzle-orm";
import type { ListPlace } from "../../platform/http/cursor.ts";
import type { Queries } from "../../ports/database.ts";
import { personas } from "./tables.ts";

// A clip is large, and hardly anybody who reads a persona wants to hear it.
const { sealedClip, ...light } = getTableColumns(personas);

export type NewPersona = typeof personas.$inferInsert;
export type PersonaRow = Omit<typeof personas.$inferSelect, "sealedClip">;

/** The SQL of personas. Whoever asks names the workspace: a foreign id looks like a missing one. */
export function createPersonaStore(queries: Queries) {
  const owned = (workspaceId: string, id: string) => and(eq(personas.workspaceId, workspaceId), eq(personas.id, id));
  return {
    async insert(row: NewPersona, within: Queries = queries): Promise<PersonaRow> {
      const [inserted] = await within.insert(personas).values(row).returning(light);
      return inserted!;
    },
    transaction<Result>(work: (within: Queries) => Promise<Result>): Promise<Result> {
      return queries.transaction((within) => work(within as unknown as Queries));
    },
    async find(workspaceId: string, id: string): Promise<PersonaRow | undefined> {
      const [row] = await queries.select(light).from(personas).where(owned(workspaceId, id));
      return row;
    },
    async readClip(workspaceId: string, id: string): Promise<string | undefined> {
      const [row] = await queries.select({ sealedClip }).from(personas).where(owned(workspaceId, id));
      return row?.sealedClip ?? undefined;
    },
    /** Newest first. */
    list(workspaceId: string, limit: number, before: ListPlace | undefined): Promise<PersonaRow[]> {
      const older =
        before &&
        or(
          lt(personas.createdAt, before.createdAt),
          and(eq(personas.createdAt, before.createdAt), lt(personas.id, before.id)),
        );
      return queries
        .select(light)
        .from(personas)
        .where(and(eq(personas.workspaceId, workspaceId), older))
        .orderBy(desc(personas.createdAt), desc(personas.id))
        .limit(limit);
    },
    async update(workspaceId: string, id: string, values: Partial<NewPersona>): Promise<PersonaRow | undefined> {
      const [row] = await queries.update(personas).set(values).where(owned(workspaceId, id)).returning(light);
      return row;
    },
    async remove(workspaceId: string, id: string): Promise<boolean> {
      const removed = await queries.delete(personas).where(owned(workspaceId, id)).returning({ id: personas.id });
      return removed.length > 0;
    },
  };
}

export type PersonaStore = ReturnType<typeof createPersonaStore>;
