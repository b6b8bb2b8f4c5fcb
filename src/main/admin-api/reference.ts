import { routingReply } from "../../gateway/routing/schema.ts";
import type { ApiReference } from "../../platform/http/openapi/reference.ts";
import { keyReply, problem, workspaceReply } from "./schema.ts";

const workspace = {
  id: "ws_7Hq2",
  name: "acme",
  gatewayPlan: "PLUS",
  extractionPlan: "Starter",
  extractionPerHour: null,
  createdAt: "2026-11-17T09:30:00.000Z",
};
const key = {
  id: "key_4bTz",
  workspaceId: "ws_7Hq2",
  workspace: "acme",
  name: "production",
  hint: "x8Qa",
  scopes: ["speech", "chat"],
  ratePerMinute: null,
  tokensPerMinute: null,
  dailyLimitUsd: null,
  monthlyLimitUsd: null,
  models: null,
  rulesByAdmin: false,
  createdBy: null,
  createdAt: "2026-11-17T09:30:00.000Z",
  expiresAt: null,
  revokedAt: null,
  lastUsedAt: null,
};
const upstream = {
  provider: "openai",
  kind: "openai",
  url: "https://api.openai.com/v1",
  prefix: "openai",
  models: [],
  allowed: ["openai/gpt-4o*"],
  prices: { "openai/gpt-4o": { input: "0.0000025", output: "0.00001" } },
  weight: 1,
  position: 0,
  firstByteMs: null,
  firstTokenMs: 20_000,
  silenceMs: null,
  isEnabled: true,
} as const;
const upstreamKey = {
  id: "upk_3nVd",
  name: "first",
  hint: "x8Qa",
  requestsPerMinute: 500,
  createdAt: "2026-11-19T09:30:00.000Z",
};
const alias = { strategy: "fastest", models: [{ model: "openai/gpt-4o-mini", weight: 1 }] } as const;
const routing = {
  strategy: "order",
  upstreams: [{ name: "openai", from: "database", ...upstream, keys: [upstreamKey] }],
  aliases: [{ name: "fast", from: "database", ...alias }],
};
const balance = { workspace: "acme", balance: "5.00", lifetime_spend: "0.00" };

export const adminReference: ApiReference = {
  guide: `## Keys
\`Authorization: Bearer <key>\` (or \`X-API-KEY: <key>\`) with the scope \`admin\`. Such a key governs the whole installation, whichever
workspace it belongs to. Only whoever runs the server can make one, and no role in the dashboard can:

\`\`\`
./parlance keys create --workspace default --name automation --scopes admin
\`\`\`

\`admin\` is not among \`all\` scopes. Everything that is done with it is in the dashboard's audit log under the key's id.

## Limits
60 requests a minute for each key, unless it has its own limit.

## Errors
Every error is \`{"error": {"type": "...", "message": "..."}}\`, and the message says what to do.

| Status | When |
|---|---|
| 400 | a field is missing or wrong, or there is no such scope or plan |
| 401 | the key is missing, unknown, expired or revoked |
| 403 | the key lacks the scope \`admin\` |
| 404 | there is no such workspace or key |
| 409 | there is a workspace of that name already |
| 429 | too many requests |`,
  tags: {
    Workspaces: "Who owns keys, credits and usage, and with which plans.",
    Keys: "API keys of any workspace.",
    Credits: "What a workspace may spend at the gateway.",
    Routing: "Who serves which model of the gateway. What is changed counts for the next request, on every server.",
    Usage: "What was used.",
  },
  named: { Problem: problem, Workspace: workspaceReply, ApiKey: keyReply, Routing: routingReply },
  routes: {
    "GET /v1/workspaces": { id: "listWorkspaces", tag: "Workspaces", reply: { workspaces: [workspace] } },
    "POST /v1/workspaces": {
      id: "createWorkspace",
      tag: "Workspaces",
      description: "Its plans are FREE and Free until they are set.",
      request: { name: "acme" },
      reply: workspace,
    },
    "PATCH /v1/workspaces/{workspace}": {
      id: "setPlans",
      tag: "Workspaces",
      request: { gatewayPlan: "PLUS", extractionPlan: "Starter" },
      reply: workspace,
    },
    "GET /v1/workspaces/{workspace}/keys": { id: "listKeys", tag: "Keys", reply: { keys: [key] } },
    "POST /v1/workspaces/{workspace}/keys": {
      id: "createKey",
      tag: "Keys",
      description: "The reply is the only time that the key is shown.",
      request: { name: "production", scopes: ["speech", "chat"] },
      reply: { id: key.id, key: "parl_...", scopes: key.scopes },
    },
    "DELETE /v1/keys/{id}": {
      id: "revokeKey",
      tag: "Keys",
      description: "It is refused everywhere within a second.",
      reply: { id: key.id, revoked: true },
    },
    "GET /v1/workspaces/{workspace}/credits": { id: "readBalance", tag: "Credits", reply: balance },
    "POST /v1/workspaces/{workspace}/credits": {
      id: "grantCredits",
      tag: "Credits",
      description:
        "With an Idempotency-Key the money is given once, however often the request is repeated: choose one for each payment.",
      request: { amount: "5.00", note: "invoice 1007" },
      reply: balance,
    },
    "GET /v1/routing": { id: "readRouting", tag: "Routing", reply: routing },
    "PUT /v1/routing": {
      id: "setStrategy",
      tag: "Routing",
      description:
        "How those who serve one model are put in order: `order` (their positions), `weighted`, `cheapest` (by the list), `fastest` (median time to the first token, measured here) or `sticky` (the same `user`, else key, goes to the same upstream and key, for prompt caches).",
      request: { strategy: "order" },
      reply: routing,
    },
    "PUT /v1/upstreams/{name}": {
      id: "setUpstream",
      tag: "Routing",
      description:
        "Says all about an upstream but its keys: what is left out has its default. One with the name of an upstream of the settings stands in for it.",
      request: upstream,
      reply: routing,
    },
    "DELETE /v1/upstreams/{name}": { id: "removeUpstream", tag: "Routing", reply: routing },
    "POST /v1/upstreams/{name}/keys": {
      id: "addUpstreamKey",
      tag: "Routing",
      description: "Stored sealed and never shown again. Several keys take turns, each within its own limit.",
      request: { key: "sk-...", name: "first", requestsPerMinute: 500 },
      reply: { id: upstreamKey.id, hint: upstreamKey.hint },
    },
    "DELETE /v1/upstream-keys/{id}": {
      id: "removeUpstreamKey",
      tag: "Routing",
      reply: { id: upstreamKey.id, removed: true },
    },
    "PUT /v1/aliases/{name}": {
      id: "setAlias",
      tag: "Routing",
      description:
        "Models of this server (`local/...`) may be among them. `weight` counts for the strategy `weighted`.",
      request: alias,
      reply: routing,
    },
    "DELETE /v1/aliases/{name}": { id: "removeAlias", tag: "Routing", reply: routing },
    "GET /v1/usage": {
      id: "readUsage",
      tag: "Usage",
      reply: {
        usage: [
          {
            day: "2026-11-17",
            workspace: "acme",
            service: "voice",
            route: "POST /v1/speech",
            requests: 12,
            errors: 0,
            inputTokens: 0,
            outputTokens: 0,
            audioMs: 31_000,
          },
        ],
      },
    },
  },
};
