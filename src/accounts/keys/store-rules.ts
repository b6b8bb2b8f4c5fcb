import { formatDollars, parseDollars } from "../../credits/money.ts";
import type { KeyRules } from "./key-rules.ts";
import type { ApiKey } from "./list-keys.ts";

/** What a key may do beyond its scopes; limits in pico-dollars. */
export type StoredRules = Pick<ApiKey, "ratePerMinute" | "tokensPerMinute" | "dailyLimit" | "monthlyLimit" | "models">;

export type GivenRules = { [Name in keyof KeyRules]?: KeyRules[Name] | undefined };

/** Rules as the database has them; those that nobody gave are left out. */
export function storeRules({ dailyLimitUsd, monthlyLimitUsd, ...given }: GivenRules): Partial<StoredRules> {
  const plain = { ratePerMinute: given.ratePerMinute, tokensPerMinute: given.tokensPerMinute, models: given.models };
  const stored = { ...plain, dailyLimit: picos(dailyLimitUsd), monthlyLimit: picos(monthlyLimitUsd) };
  return Object.fromEntries(Object.entries(stored).filter(([, value]) => value !== undefined));
}

/** The rules of a key as people say them. */
export function showRules(key: StoredRules): KeyRules {
  return {
    ratePerMinute: key.ratePerMinute,
    tokensPerMinute: key.tokensPerMinute,
    dailyLimitUsd: key.dailyLimit === null ? null : formatDollars(key.dailyLimit),
    monthlyLimitUsd: key.monthlyLimit === null ? null : formatDollars(key.monthlyLimit),
    models: key.models,
  };
}

function picos(amount: string | null | undefined): bigint | null | undefined {
  return typeof amount === "string" ? parseDollars(amount) : amount;
}
