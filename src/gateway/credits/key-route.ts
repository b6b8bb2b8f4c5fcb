import { eq } from "drizzle-orm";
import { z } from "zod";
import { apiKeys } from "../../accounts/tables.ts";
import type { Books } from "../../credits/books.ts";
import { daily, monthly } from "../../credits/key-budgets.ts";
import { readKeyCharges } from "../../credits/key-days.ts";
import { type Pico, toNumber } from "../../credits/money.ts";
import type { Clock } from "../../platform/clock.ts";
import { isoDateOf } from "../../platform/days.ts";
import type { HttpApp } from "../../platform/http/create-server.ts";
import type { Queries } from "../../ports/database.ts";
import { problemReplies } from "../fields.ts";

export interface KeyRouteParts {
  readonly queries: Queries;
  readonly books: Books;
  readonly clock: Clock;
  /** Of keys that have no limit of their own. */
  readonly ratePerMinute: number;
}

const dollars = z.number().meta({ description: "In dollars." });
const keyRecord = z.object({
  label: z.string(),
  limit: dollars.nullable(),
  limit_remaining: dollars.nullable(),
  limit_reset: z.enum(["daily", "monthly"]).nullable(),
  usage: dollars,
  usage_daily: dollars,
  usage_weekly: dollars,
  usage_monthly: dollars,
  expires_at: z.string().nullable(),
  rate_limit: z.object({ requests: z.int(), interval: z.string(), note: z.string() }),
  workspace_id: z.string().nullable(),
});
type Key = z.output<typeof keyRecord>;
/** OpenRouter's client refuses a record without these. Nothing here is free by the day, brought along, or bound to a region. */
const nothing = {
  allowed_data_regions: [] as string[],
  byok_usage: 0,
  byok_usage_daily: 0,
  byok_usage_weekly: 0,
  byok_usage_monthly: 0,
  creator_user_id: null,
  free_model_daily_requests: { limit: 0, remaining: 0, used: 0 },
  include_byok_in_limit: false,
  is_free_tier: false,
  is_management_key: false,
  is_provisioning_key: false,
  organization_id: null,
};

/** What the caller's key may spend and has spent, in the shape that OpenRouter gave it. */
export function addKeyRoute(app: HttpApp, { queries, books, clock, ratePerMinute }: KeyRouteParts): void {
  app.get(
    "/key",
    {
      config: { scope: "gateway:read" },
      schema: {
        summary: "The key itself: its limits, and what it has spent",
        response: { 200: z.object({ data: keyRecord.loose() }), ...problemReplies },
      },
    },
    async ({ caller: { keyId, dailyLimit, monthlyLimit, workspace, ratePerMinute: own } }) => {
      // What has been spent a moment ago is in the answer.
      await books.flush();
      const now = clock.now();
      const [key] = await queries.select().from(apiKeys).where(eq(apiKeys.id, keyId));
      const since = async (day: string): Promise<Pico> =>
        (await readKeyCharges(queries, [keyId], day)).get(keyId) ?? 0n;
      const day = await since(daily.nameOf(now));
      const month = await since(monthly.nameOf(now));
      const data: Key = {
        label: key?.name ?? "",
        ...limitOf({ limit: dailyLimit, spent: day }, { limit: monthlyLimit, spent: month }),
        usage: toNumber(await since(firstDay)),
        usage_daily: toNumber(day),
        usage_weekly: toNumber(await since(mondayOf(now))),
        usage_monthly: toNumber(month),
        expires_at: key?.expiresAt?.toISOString() ?? null,
        rate_limit: { requests: own ?? ratePerMinute, interval: "1m", note: "Requests of this key in a minute." },
        workspace_id: workspace.id,
      };
      return { data: { ...nothing, ...data } };
    },
  );
}

const firstDay = "1970-01-01";

interface Period {
  readonly limit: Pico | null;
  readonly spent: Pico;
}

/** The one of its limits that has less left. */
function limitOf(day: Period, month: Period): Pick<Key, "limit" | "limit_remaining" | "limit_reset"> {
  const left = ({ limit, spent }: Period) => (limit === null ? undefined : limit > spent ? limit - spent : 0n);
  const [today, thisMonth] = [left(day), left(month)];
  if (today === undefined && thisMonth === undefined) return { limit: null, limit_remaining: null, limit_reset: null };
  const isDaily = thisMonth === undefined || (today !== undefined && today <= thisMonth);
  return {
    limit: toNumber((isDaily ? day.limit : month.limit)!),
    limit_remaining: toNumber((isDaily ? today : thisMonth)!),
    limit_reset: isDaily ? "daily" : "monthly",
  };
}

/** Weeks begin on Monday (UTC). */
function mondayOf(nowMs: number): string {
  const day = new Date(nowMs);
  day.setUTCDate(day.getUTCDate() - ((day.getUTCDay() + 6) % 7));
  return isoDateOf(day);
}
