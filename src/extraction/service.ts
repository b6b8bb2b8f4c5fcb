import type { Service } from "../accounts/http/mount-service.ts";
import { extractionLimit } from "../accounts/plans.ts";
import type { Clock } from "../platform/clock.ts";
import { RateWindow } from "../platform/http/rate-window.ts";
import { extractionDialect } from "./dialect.ts";
import { addDocumentRoutes } from "./documents/routes.ts";

export interface ExtractionParts {
  clock: Clock;
  enterprisePerHour: number;
}

export function extractionService(parts: ExtractionParts): Service {
  return {
    name: "extraction",
    base: "/extraction",
    baseWhenAlone: "",
    dialect: extractionDialect,
    policy: {
      readKey: (request) => [request.headers["x-api-key"]].flat()[0],
      howToSendKey: '"X-API-KEY: <key>"',
      window: new RateWindow(3_600_000, parts.clock),
      limitFor: ({ workspace }) =>
        extractionLimit(workspace.extractionPlan, workspace.extractionPerHour, parts.enterprisePerHour),
    },
    api: {
      title: "Parlance document extraction",
      description: "A document in; structured data with a confidence out, in five formats.",
      security: { header: "X-API-KEY" },
    },
    addRoutes(app) {
      addDocumentRoutes(app);
    },
  };
}
