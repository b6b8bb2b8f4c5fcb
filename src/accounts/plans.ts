import { list, Problem } from "../platform/errors.ts";

/** Lowest first. */
export const gatewayPlans = ["FREE", "PLUS", "PRO", "ENTERPRISE"] as const;
export type GatewayPlan = (typeof gatewayPlans)[number];

export const extractionPlans = ["Free", "Starter", "Professional", "Enterprise"] as const;
export type ExtractionPlan = (typeof extractionPlans)[number];

const extractionsPerHour = { Free: 10, Starter: 100, Professional: 500 } as const;

export function allowsGateway(plan: GatewayPlan): boolean {
  return gatewayPlans.indexOf(plan) >= gatewayPlans.indexOf("PLUS");
}

/** Enterprise is custom: the workspace's own number, or else the server's setting. */
export function extractionLimit(plan: ExtractionPlan, ownPerHour: number | null, enterprisePerHour: number): number {
  return plan === "Enterprise" ? (ownPerHour ?? enterprisePerHour) : extractionsPerHour[plan];
}

export function parseGatewayPlan(name: string): GatewayPlan {
  return findPlan(gatewayPlans, name);
}

export function parseExtractionPlan(name: string): ExtractionPlan {
  return findPlan(extractionPlans, name);
}

function findPlan<Plan extends string>(plans: readonly Plan[], name: string): Plan {
  const plan = plans.find((candidate) => candidate.toLowerCase() === name.toLowerCase());
  if (!plan) throw new Problem("invalid_request", `There is no plan "${name}". Plans: ${list(plans)}.`);
  return plan;
}
