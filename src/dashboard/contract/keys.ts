import { z } from "zod";
import { keyRules } from "../../accounts/keys/key-rules.ts";
import {
  allScopes,
  extractionScopes,
  gatewayScopes,
  grantableScopes,
  type Scope,
  voiceScopes,
} from "../../accounts/scopes.ts";
import { dollars, id, label, moment, workspaceParams } from "./fields.ts";
import { nothing, type RouteContract } from "./route.ts";

/** What each scope lets a key do, in a sentence for the person who ticks it. */
const scopeSentences: Record<Scope, string> = {
  speech: "Turn text into speech with any voice of the catalog.",
  voices: "Create, change and delete personas and cloned voices.",
  chat: "Ask the built-in assistant and make embeddings.",
  dub: "Dub recordings into other languages.",
  transcribe: "Turn recordings and live audio into text.",
  translate: "Translate text between languages.",
  realtime: "Start live voice calls and streams.",
  "gateway:read": "Call models through the gateway, and read its catalog, credits and reports.",
  "chat:read": "Reserved for reading stored chats; governs nothing yet.",
  "chat:write": "Reserved for writing stored chats; governs nothing yet.",
  "files:read": "Reserved for reading files; governs nothing yet.",
  "files:write": "Reserved for writing files; governs nothing yet.",
  "kb:read": "Reserved for reading knowledge bases; governs nothing yet.",
  "kb:write": "Reserved for writing knowledge bases; governs nothing yet.",
  extract: "Read documents and return their fields.",
  admin: "Manage the whole installation over HTTP; given on the command line only.",
};

function explain(scopes: readonly Exclude<Scope, "admin">[]) {
  return scopes.map((scope) => ({ scope, sentence: scopeSentences[scope] }));
}

/** Scopes grouped by service, as the form shows them. */
export const scopeGroups = [
  { service: "voice", title: "Voice platform", scopes: explain(voiceScopes) },
  { service: "gateway", title: "Model gateway", scopes: explain(gatewayScopes) },
  { service: "extraction", title: "Document extraction", scopes: explain(extractionScopes) },
] as const;

const scope = z.enum(allScopes);

const key = z.object({
  id,
  name: z.string(),
  /** The last four characters. */
  hint: z.string(),
  scopes: z.array(z.enum(grantableScopes)),
  createdAt: moment,
  /** Null for keys made on the command line. */
  createdBy: z.string().nullable(),
  expiresAt: moment.nullable(),
  revokedAt: moment.nullable(),
  lastUsedAt: moment.nullable(),
  state: z.enum(["active", "expired", "revoked"]),
  ...keyRules,
  spentTodayUsd: dollars,
  spentThisMonthUsd: dollars,
  last30Days: z.object({ requests: z.number(), errors: z.number(), spentUsd: dollars }),
  /** An admin or the operator has set these limits: members cannot change them. */
  rulesByAdmin: z.boolean(),
  /** Whether the caller may rename and revoke it: members their own, admins all. */
  isYours: z.boolean(),
});
export type ApiKeyDetails = z.infer<typeof key>;

const keyParams = workspaceParams.extend({ keyId: id });

export const keyRoutes = {
  listKeys: {
    method: "GET",
    path: "/workspaces/:workspaceId/keys",
    access: "member",
    params: workspaceParams,
    reply: z.object({ keys: z.array(key) }),
  },
  createKey: {
    method: "POST",
    path: "/workspaces/:workspaceId/keys",
    access: "member",
    params: workspaceParams,
    body: z.object({
      name: label(80),
      scopes: z.array(scope).min(1).max(allScopes.length),
      /** A moment in the future; null never expires. */
      expiresAt: z.iso.datetime({ offset: true }).nullable().default(null),
      ...z.object(keyRules).partial().shape,
    }),
    /** The only time that `secret` is told. */
    reply: z.object({ key, secret: z.string() }),
  },
  updateKey: {
    method: "PATCH",
    path: "/workspaces/:workspaceId/keys/:keyId",
    access: "member",
    params: keyParams,
    body: z.object({
      name: label(80).optional(),
      ...z.object(keyRules).partial().shape,
    }),
    reply: key,
  },
  revokeKey: {
    method: "DELETE",
    path: "/workspaces/:workspaceId/keys/:keyId",
    access: "member",
    params: keyParams,
    reply: nothing,
  },
  /** A real key for the playground of this session: an hour, every scope, not in the list, revoked at sign-out, counted as usage. */
  createPlaygroundKey: {
    method: "POST",
    path: "/workspaces/:workspaceId/playground-key",
    access: "member",
    params: workspaceParams,
    reply: z.object({ secret: z.string(), expiresAt: moment }),
  },
} as const satisfies Record<string, RouteContract>;
