import { eq } from "drizzle-orm";
import { pgTable, text } from "drizzle-orm/pg-core";
import { newId } from "../../platform/ids.ts";
import type { Queries } from "../../ports/database.ts";

const secrets = pgTable("extraction_webhook_secrets", {
  workspaceId: text("workspace_id").primaryKey(),
  secret: text("secret").notNull(),
});

export type WebhookSecrets = ReturnType<typeof createWebhookSecrets>;

/** One secret per workspace, made when it is first needed. */
export function createWebhookSecrets(queries: Queries) {
  return {
    async get(workspaceId: string): Promise<string> {
      const find = () => queries.select().from(secrets).where(eq(secrets.workspaceId, workspaceId));
      const [known] = await find();
      if (known) return known.secret;
      // Two requests may come here at once; both then read what the first has written.
      await queries.insert(secrets).values({ workspaceId, secret: newSecret() }).onConflictDoNothing();
      return (await find())[0]!.secret;
    },
    /** Webhooks are signed with the new one from now on. */
    async replace(workspaceId: string): Promise<string> {
      const secret = newSecret();
      await queries
        .insert(secrets)
        .values({ workspaceId, secret })
        .onConflictDoUpdate({ target: secrets.workspaceId, set: { secret } });
      return secret;
    },
  };
}

function newSecret(): string {
  return newId("whsec_", 40);
}
