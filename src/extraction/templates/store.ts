import { and, desc, eq, sql } from "drizzle-orm";
import type { Queries } from "../../ports/database.ts";
import { extractionTemplates, extractionTemplateVersions, type TemplateRow } from "../documents/tables.ts";
import type { TemplateDefinition } from "./schema.ts";

/** The SQL of templates. A change makes a new version; the old ones stay. */
export function createTemplateStore(queries: Queries) {
  const own = (workspaceId: string, id: string) =>
    and(eq(extractionTemplates.workspaceId, workspaceId), eq(extractionTemplates.id, id));
  return {
    async insert(id: string, workspaceId: string, definition: TemplateDefinition): Promise<TemplateRow> {
      return queries.transaction(async (within) => {
        const [row] = await within
          .insert(extractionTemplates)
          .values({ id, workspaceId, name: definition.name, definition })
          .returning();
        await within.insert(extractionTemplateVersions).values({ templateId: id, version: 1, definition });
        return row!;
      });
    },
    async find(workspaceId: string, id: string): Promise<TemplateRow | undefined> {
      return (await queries.select().from(extractionTemplates).where(own(workspaceId, id)))[0];
    },
    async list(workspaceId: string): Promise<TemplateRow[]> {
      return queries
        .select()
        .from(extractionTemplates)
        .where(eq(extractionTemplates.workspaceId, workspaceId))
        .orderBy(desc(extractionTemplates.createdAt))
        .limit(500);
    },
    async replace(workspaceId: string, id: string, definition: TemplateDefinition): Promise<TemplateRow | undefined> {
      return queries.transaction(async (within) => {
        const [row] = await within
          .update(extractionTemplates)
          .set({ name: definition.name, definition, version: sql`version + 1`, updatedAt: new Date() })
          .where(own(workspaceId, id))
          .returning();
        if (row)
          await within.insert(extractionTemplateVersions).values({ templateId: id, version: row.version, definition });
        return row;
      });
    },
    async remove(workspaceId: string, id: string): Promise<boolean> {
      const removed = await queries
        .delete(extractionTemplates)
        .where(own(workspaceId, id))
        .returning({ id: extractionTemplates.id });
      return removed.length > 0;
    },
    async findVersion(id: string, version: number): Promise<TemplateDefinition | undefined> {
      const [row] = await queries
        .select()
        .from(extractionTemplateVersions)
        .where(and(eq(extractionTemplateVersions.templateId, id), eq(extractionTemplateVersions.version, version)));
      return row?.definition;
    },
    async listVersions(id: string): Promise<{ version: number; createdAt: Date }[]> {
      return queries
        .select({ version: extractionTemplateVersions.version, createdAt: extractionTemplateVersions.createdAt })
        .from(extractionTemplateVersions)
        .where(eq(extractionTemplateVersions.templateId, id))
        .orderBy(desc(extractionTemplateVersions.version));
    },
  };
}

export type TemplateStore = ReturnType<typeof createTemplateStore>;
