import { readKey } from "../accounts/http/guard.ts";
import type { Service } from "../accounts/http/mount-service.ts";
import { allowsGateway } from "../accounts/plans.ts";
import type { OpenWindow } from "../limits/sliding-window.ts";
import { Problem } from "../platform/errors.ts";
import type { Queries } from "../ports/database.ts";
import type { JobQueue } from "../ports/job-queue.ts";
import { addAiSdkRoutes } from "./ai-sdk/routes.ts";
import { speech } from "./audio/speech-endpoint.ts";
import { transcriptions, translations } from "./audio/transcription-endpoints.ts";
import { chatCompletions, completions, messages, responses } from "./chat-completions/endpoints.ts";
import { addTokenCountRoute } from "./chat-completions/routes.ts";
import { addKeyRoute } from "./credits/key-route.ts";
import { addCreditRoutes } from "./credits/routes.ts";
import { gatewayDialect } from "./dialect.ts";
import { embeddings } from "./embeddings/endpoint.ts";
import { imageEdits, imageGenerations } from "./images/endpoints.ts";
import { addModelRoutes } from "./models/routes.ts";
import { moderations } from "./moderations/endpoint.ts";
import { addEndpoint } from "./pipeline/add-endpoint.ts";
import type { Gateway } from "./pipeline/gateway.ts";
import { keepRawJson } from "./pipeline/raw-json.ts";
import { realtimeToken } from "./realtime/endpoint.ts";
import { gatewayReference } from "./reference.ts";
import { addReportRoutes } from "./report/routes.ts";
import { addRequestRoutes } from "./requests/routes.ts";
import { rerank, rerankForCohere } from "./rerank/endpoint.ts";
import { createVideoJobs } from "./videos/jobs.ts";
import { addVideoRoutes } from "./videos/routes.ts";

export interface GatewayParts {
  gateway: Gateway;
  ratePerMinute: number;
  queries: Queries;
  jobs: JobQueue;
  openWindow: OpenWindow;
}

export function gatewayService({ gateway, ratePerMinute, openWindow, queries, jobs }: GatewayParts): Service {
  const { sharedReplays } = gateway;
  // Once, however many bases the routes stand at.
  const videos = createVideoJobs(gateway, queries, jobs);
  return {
    name: "gateway",
    base: "/gateway/v1",
    baseWhenAlone: "/v1",
    largestBodyBytes: 25_000_000,
    dialect: gatewayDialect,
    policy: {
      readKey,
      howToSendKey: '"Authorization: Bearer <key>"',
      checkPlan({ workspace }) {
        if (!allowsGateway(workspace.gatewayPlan)) {
          throw new Problem(
            "plan_restricted",
            `The gateway needs the plan PLUS or higher; this workspace has ${workspace.gatewayPlan}.`,
          );
        }
      },
      window: openWindow("gateway", 60_000),
      limitFor: (caller) => caller.ratePerMinute ?? ratePerMinute,
      strangersLimit: ratePerMinute,
    },
    api: {
      title: "Parlance model gateway",
      description:
        "OpenAI-compatible access to models of many providers, with exact credits, a live catalog and spend reports.",
      security: { bearer: true },
      reference: gatewayReference,
    },
    async addRoutes(app) {
      keepRawJson(app);
      if (sharedReplays) app.addHook("preHandler", async (request) => request.caller && sharedReplays.prepare(request));
      addModelRoutes(app, gateway);
      await addEndpoint(app, gateway, chatCompletions);
      await addEndpoint(app, gateway, completions);
      await addEndpoint(app, gateway, responses);
      await addEndpoint(app, gateway, messages);
      addTokenCountRoute(app);
      await addEndpoint(app, gateway, embeddings);
      addAiSdkRoutes(app, gateway);
      await addEndpoint(app, gateway, imageGenerations);
      await addEndpoint(app, gateway, imageEdits);
      await addEndpoint(app, gateway, moderations);
      await addEndpoint(app, gateway, speech);
      await addEndpoint(app, gateway, transcriptions);
      await addEndpoint(app, gateway, translations);
      addVideoRoutes(app, gateway, videos);
      await addEndpoint(app, gateway, rerank);
      await addEndpoint(app, gateway, rerankForCohere);
      await addEndpoint(app, gateway, realtimeToken(gateway.sessionCost));
      addCreditRoutes(app, queries, gateway.books);
      addKeyRoute(app, { queries, books: gateway.books, clock: gateway.clock, ratePerMinute });
      addReportRoutes(app, queries, gateway.books);
      addRequestRoutes(app, queries, gateway.books, gateway.clock);
    },
  };
}
