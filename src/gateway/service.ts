import { readBearer } from "../accounts/http/guard.ts";
import type { Service } from "../accounts/http/mount-service.ts";
import { allowsGateway } from "../accounts/plans.ts";
import type { Clock } from "../platform/clock.ts";
import { Problem } from "../platform/errors.ts";
import { RateWindow } from "../platform/http/rate-window.ts";
import type { Queries } from "../ports/database.ts";
import { addCreditRoutes } from "./credits/routes.ts";
import { gatewayDialect } from "./dialect.ts";
import { addForwardedRoutes } from "./forwarded-routes.ts";
import { addModelRoutes } from "./models/routes.ts";
import { addReportRoutes } from "./report/routes.ts";

export interface GatewayParts {
  clock: Clock;
  ratePerMinute: number;
  queries: Queries;
}

export function gatewayService(parts: GatewayParts): Service {
  return {
    name: "gateway",
    base: "/gateway/v1",
    baseWhenAlone: "/v1",
    dialect: gatewayDialect,
    policy: {
      readKey: readBearer,
      howToSendKey: '"Authorization: Bearer <key>"',
      checkPlan({ workspace }) {
        if (!allowsGateway(workspace.gatewayPlan)) {
          throw new Problem(
            "plan_restricted",
            `The gateway needs the plan PLUS or higher; this workspace has ${workspace.gatewayPlan}.`,
          );
        }
      },
      window: new RateWindow(60_000, parts.clock),
      limitFor: (caller) => caller.ratePerMinute ?? parts.ratePerMinute,
    },
    api: {
      title: "Parlance model gateway",
      description:
        "OpenAI-compatible access to models of many providers, with exact credits, a live catalog and spend reports.",
      security: { bearer: true },
    },
    addRoutes(app) {
      addModelRoutes(app);
      addForwardedRoutes(app);
      addCreditRoutes(app, parts.queries);
      addReportRoutes(app);
    },
  };
}
