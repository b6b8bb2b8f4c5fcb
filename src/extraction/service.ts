import type { FastifyReply } from "fastify";
import { readBearer, tellTurn } from "../accounts/http/guard.ts";
import type { Service } from "../accounts/http/mount-service.ts";
import { extractionLimit } from "../accounts/plans.ts";
import type { Caller } from "../accounts/verify-key.ts";
import type { OpenWindow } from "../limits/sliding-window.ts";
import { Problem } from "../platform/errors.ts";
import type { EngineHost } from "../ports/engine-host.ts";
import type { JobQueue } from "../ports/job-queue.ts";
import type { Secrets } from "../ports/secrets.ts";
import { addBatchRoutes } from "./batches/routes.ts";
import { extractionDialect } from "./dialect.ts";
import { type ContentParts, createContents } from "./documents/contents.ts";
import { addDocumentRoutes } from "./documents/routes.ts";
import type { ExtractionTools } from "./documents/run-extraction.ts";
import { createDocumentStore } from "./documents/store.ts";
import { createUnderstanding } from "./documents/understanding.ts";
import { startExtractionWork, type WorkOptions } from "./documents/work.ts";
import { extractionReference } from "./reference.ts";
import { addTemplateRoutes } from "./templates/routes.ts";
import { createTemplateStore } from "./templates/store.ts";
import { addWebhookRoutes } from "./webhooks/routes.ts";
import { createWebhookSecrets } from "./webhooks/store.ts";

export interface ExtractionParts
  extends WorkOptions,
    ContentParts,
    Pick<ExtractionTools, "clock" | "log" | "reader" | "fieldModel"> {
  enterprisePerHour: number;
  jobs: JobQueue;
  /** The process in which documents are made sense of. */
  understanding: EngineHost;
  openWindow: OpenWindow;
  secrets: Secrets;
}

export function extractionService(parts: ExtractionParts): Service {
  const contents = createContents(parts);
  const documents = createDocumentStore(parts.queries, parts.vault, contents);
  const templates = createTemplateStore(parts.queries);
  const understanding = createUnderstanding(parts.understanding);
  const webhookSecrets = createWebhookSecrets(parts.queries, parts.secrets);
  const tools = { documents, contents, templates, ...parts, understanding, webhookSecrets };
  const work = startExtractionWork(tools, parts.jobs, parts);
  const window = parts.openWindow("extraction", 3_600_000, true);
  // The plan is the workspace's, however many keys it has.
  const turnOf = ({ workspace }: Caller): string => workspace.id;
  const limitFor = ({ workspace }: Caller): number =>
    extractionLimit(workspace.extractionPlan, workspace.extractionPerHour, parts.enterprisePerHour);
  const takeTurns = async (caller: Caller, count: number, reply: FastifyReply): Promise<void> => {
    const verdict = await window.take(turnOf(caller), limitFor(caller), count);
    if (!verdict.isAllowed)
      throw new Problem(
        "rate_limited",
        `The archive holds ${count + 1} documents, and ${verdict.remaining + 1} of the ${verdict.limit} an hour are left.`,
        { retryAfterSeconds: verdict.retryAfterSeconds },
      );
    tellTurn(reply, { ...verdict, resetSeconds: verdict.nextSeconds });
  };
  return {
    name: "extraction",
    base: "/extraction",
    baseWhenAlone: "",
    // 20 MB of document, and the form around it.
    largestBodyBytes: 25_000_000,
    dialect: extractionDialect,
    policy: {
      // The documented header first: a client may send both, and this is the one it means.
      readKey: (request) => [request.headers["x-api-key"]].flat()[0] ?? readBearer(request),
      howToSendKey: '"X-API-KEY: <key>"',
      window,
      ownWindow: parts.openWindow("extraction-key", 60_000),
      turnOf,
      // Looking at results costs nothing.
      isFree: ({ method }) => method === "GET" || method === "HEAD",
      resetsAtNext: true,
      limitFor,
      strangersLimit: extractionLimit("Free", null, parts.enterprisePerHour),
    },
    api: {
      title: "Parlance document extraction",
      description: "A document in; structured data with a confidence out, in five formats.",
      security: { header: "X-API-KEY" },
      reference: extractionReference,
    },
    addRoutes(app) {
      const documentParts = { documents, contents, templates, work, ...parts, understanding };
      addDocumentRoutes(app, documentParts);
      addBatchRoutes(app, { ...documentParts, takeTurns });
      addWebhookRoutes(app, webhookSecrets);
      addTemplateRoutes(app, { templates, reader: parts.reader, understanding });
    },
  };
}
