import { z } from "zod";
import { strategies } from "../catalog/order-routes.ts";
import { readPrices } from "../charging/prices.ts";
import { kinds } from "../upstreams/kinds/kinds.ts";
import { providerNames } from "../upstreams/providers.ts";

const kindNames = Object.keys(kinds) as [keyof typeof kinds];
const upstreamName = z
  .string()
  .regex(/^[a-z0-9][a-z0-9._-]{0,39}$/, "must have 1 to 40 small letters, digits, dots, dashes or underscores")
  // Those of the settings are on record under these.
  .refine(
    (name) => !kindNames.some((kind) => new RegExp(`^${kind}-\\d+$`).test(name)),
    "=That name is one of the settings' own.",
  );
const pattern = z
  .string()
  .regex(/^[^\s,]{1,200}$/, "must be a model such as acme/large, in which * stands for anything");
const patience = z.int().min(100).max(86_400_000);
const amount = z.string().regex(/^\d{1,9}(\.\d{1,18})?$/, "must be an amount in USD such as 0.000001");

const prices = z
  .record(pattern, z.record(z.string().max(80), amount))
  .refine((all) => Object.keys(all).length <= 1_000, "=At most 1,000 entries.")
  .refine(
    (all) => Object.values(all).every(readPrices),
    '=A price needs at least one of "input", "output", "request", "image" and the like.',
  );

const address = z
  .url({ protocol: /^https?$/ })
  .max(500)
  .refine((url) => !/[@?#]/.test(url), "=The address takes no user, query or fragment. Keys are added on their own.");

export const upstreamParams = z.object({ name: upstreamName });
/** What is not named has its default: a row says everything about an upstream but its keys. */
export const upstreamFields = z.strictObject({
  provider: z
    .enum(providerNames)
    .nullable()
    .default(null)
    .meta({ description: "Whose own API it is. Gives kind, url, prefix and prices their defaults." }),
  kind: z.enum(kindNames).nullable().default(null).meta({ description: "Which dialect it speaks; else openai." }),
  url: address.nullable().default(null).meta({ description: "Its base address, with /v1." }),
  prefix: z
    .string()
    .regex(/^[\w.-]{1,40}$/)
    .refine((prefix) => prefix !== "local", "=local/ is for the models of this server.")
    .nullable()
    .default(null)
    .meta({ description: "Stands before its own names of models: with openai, its gpt-4o is openai/gpt-4o here." }),
  models: z
    .array(pattern)
    .max(200)
    .default([])
    .meta({ description: "Patterns of what it serves besides what it lists." }),
  allowed: z.array(pattern).min(1).max(200).nullable().default(null).meta({ description: "All that it may serve." }),
  prices: prices
    .default({})
    .meta({ description: "USD for each token, by patterns of models, instead of its catalog's." }),
  weight: z.int().min(0).max(10_000).default(1),
  position: z.int().min(-1_000).max(1_000).default(0).meta({ description: "The lowest is asked first." }),
  firstByteMs: patience.nullable().default(null),
  firstTokenMs: patience.nullable().default(null),
  silenceMs: patience.nullable().default(null),
  isEnabled: z.boolean().default(true),
});
export type UpstreamFields = z.output<typeof upstreamFields>;

export const upstreamKeyFields = z.strictObject({
  key: z.string().regex(/^[\x21-\x7e]{1,4000}$/, "must be a key without spaces"),
  name: z.string().max(80).default(""),
  requestsPerMinute: z.int().min(1).max(1_000_000).nullable().default(null),
});
export type UpstreamKeyFields = z.output<typeof upstreamKeyFields>;

export const aliasName = z
  .string()
  .regex(/^[\w.:@/-]{1,200}$/, "must have 1 to 200 letters, digits or any of . _ : @ / -")
  .refine((name) => !name.startsWith("local/"), "=local/ is for the models of this server.");
export const aliasParams = z.object({ name: aliasName });
const choice = z.strictObject({
  model: z.string().regex(/^[^\s,*]{1,200}$/, "must be a model such as acme/large"),
  weight: z.int().min(0).max(10_000).default(1),
});
export const aliasFields = z.strictObject({
  strategy: z.enum(strategies).default("order"),
  models: z.array(choice).min(1).max(32),
});
export type AliasFields = z.output<typeof aliasFields>;

export const routingFields = z.strictObject({ strategy: z.enum(strategies) });

const origin = z.enum(["settings", "database"]);
const keyReply = z.object({
  id: z.string(),
  name: z.string(),
  hint: z.string(),
  requestsPerMinute: z.int().nullable(),
  createdAt: z.iso.datetime(),
});
export const routingReply = z.object({
  strategy: z.enum(strategies),
  upstreams: z.array(
    z.object({
      name: z.string(),
      from: origin,
      ...upstreamFields.shape,
      // The settings allow more than a row.
      kind: z.enum(kindNames),
      url: z.string(),
      models: z.array(z.string()),
      keys: z.array(keyReply),
    }),
  ),
  aliases: z.array(
    z.object({
      name: z.string(),
      from: origin,
      strategy: z.enum(strategies),
      models: z.array(z.object({ model: z.string(), weight: z.int() })),
    }),
  ),
});
