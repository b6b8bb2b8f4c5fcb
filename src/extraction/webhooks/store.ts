import { eq } from "drizzle-orm";
import { pgTable, text } from "drizzle-orm/pg-core";
import { newId } from "../../platform/ids.ts";
import type { Queries } from "../../ports/database.ts";
import type { Secrets } from "../../ports/secrets.ts";

const secrets = pgTable("extraction_webhook_secrets", {
  workspaceId: text("workspace_id").primaryKey(),
  secret: text("secret").notNull(),
});

export type WebhookSecrets = ReturnType<typeof createWebhookSecrets>;

/** One secret per workspace, made when it is first needed, and stored sealed. */
export function createWebhookSecrets(queries: Queries, sealer: Secrets) {
  async function find(workspaceId: string): Promise<string | undefined> {
    const [row] = await queries.select().from(secrets).where(eq(secrets.workspaceId, workspaceId));
    return row && sealer.open(purpose, row.secret);
  }

  /** Webhooks are signed with the new one from now on. */
  async function replace(workspaceId: string): Promise<string> {
    const made = newSecret();
    const secret = sealer.seal(purpose, made);
    await queries
      .insert(secrets)
      .values({ workspaceId, secret })
      .onConflictDoUpdate({ target: secrets.workspaceId, set: { secret } });
    return made;
  }

  return {
    replace,
    async get(workspaceId: string): Promise<string> {
      const known = await find(workspaceId);
      if (known) return known;
      // Two requests may come here at once; both then read what the first has written.
      const secret = sealer.seal(purpose, newSecret());
      await queries.insert(secrets).values({ workspaceId, secret }).onConflictDoNothing();
      // What another installation's key sealed is lost with that key.
      return (await find(workspaceId)) ?? replace(workspaceId);
    },
  };
}

const purpose = "webhooks";

function newSecret(): string {
  return newId("whsec_", 40);
}
