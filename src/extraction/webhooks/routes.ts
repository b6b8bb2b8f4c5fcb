import { z } from "zod";
import type { HttpApp } from "../../platform/http/create-server.ts";
import { route } from "../route.ts";
import type { WebhookSecrets } from "./store.ts";

const secretReply = z.object({
  secret: z.string().meta({ description: "The key of X-Extraction-Signature's HMAC. Begins with whsec_." }),
});

/** What receivers need to tell genuine webhooks from others. */
export function addWebhookRoutes(app: HttpApp, secrets: WebhookSecrets): void {
  const path = "/v1/webhooks/secret";
  app.get(path, route("The secret that webhooks are signed with", { 200: secretReply }), async ({ caller }) => ({
    secret: await secrets.get(caller.workspace.id),
  }));
  app.post(
    path,
    route("Replace the secret that webhooks are signed with", { 200: secretReply }),
    async ({ caller }) => ({
      secret: await secrets.replace(caller.workspace.id),
    }),
  );
}
