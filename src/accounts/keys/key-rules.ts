import { z } from "zod";

const dollars = z
  .string()
  .regex(/^\d{1,9}(\.\d{1,12})?$/, "must be an amount in USD such as 5.00")
  .max(24);
const pattern = z
  .string()
  .regex(/^[\w.:@/*-]{1,200}$/, "must be a model such as openai/gpt-4o, in which * stands for anything");

/** What a key may do beyond its scopes, as people say it. Null has no limit of its own. */
export const keyRules = {
  ratePerMinute: z.int().min(1).max(1_000_000).nullable(),
  /** Tokens that the gateway's models read and write for it in any minute. */
  tokensPerMinute: z.int().min(1).max(1_000_000_000).nullable(),
  /** What its requests may cost in a day and in a calendar month (UTC). */
  dailyLimitUsd: dollars.nullable(),
  monthlyLimitUsd: dollars.nullable(),
  /** The gateway's models that it may use. */
  models: z.array(pattern).min(1).max(100).nullable(),
};

const shape = z.object(keyRules);
export type KeyRules = z.infer<typeof shape>;
