import { z } from "zod";
import type { HttpApp } from "../../platform/http/create-server.ts";
import { problemReplies } from "../documents/schema.ts";
import type { WebhookSecrets } from "./store.ts";

const secretReply = z.object({
  secret: z.string().meta({ description: "The key of X-Extraction-Signature's HMAC. Begins with whsec_." }),
});

/** What receivers need to tell genuine webhooks from others. */
export function addWebhookRoutes(app: HttpApp, secrets: WebhookSecrets): void {
  const config = { scope: "extract" };
  const response = { 200: secretReply, ...problemReplies };
  app.get(
    "/v1/webhooks/secret",
    { config, schema: { summary: "The secret that webhooks are signed with", response } },
    async ({ caller }) => ({ secret: await secrets.get(caller.workspace.id) }),
  );
  app.post(
    "/v1/webhooks/secret",
    { config, schema: { summary: "Replace the secret that webhooks are signed with", response } },
    async ({ caller }) => ({ secret: await secrets.replace(caller.workspace.id) }),
  );
}
