import { z } from "zod";
import type { Books } from "../../credits/books.ts";
import { readBalance } from "../../credits/ledger.ts";
import { formatDollars, toNumber } from "../../credits/money.ts";
import type { HttpApp } from "../../platform/http/create-server.ts";
import type { Queries } from "../../ports/database.ts";
import { problemReplies } from "../fields.ts";

const credits = z.object({
  object: z.literal("credits"),
  balance: z.string(),
  lifetime_spend: z.string(),
  owed: z.string().optional(),
  total_used: z.string().meta({ description: "The same as lifetime_spend, as Vercel's clients look for it." }),
  data: z
    .object({ total_credits: z.number(), total_usage: z.number() })
    .meta({ description: "What was granted and what is spent, as OpenRouter's clients look for it." }),
});

export function addCreditRoutes(app: HttpApp, queries: Queries, books: Books): void {
  app.get(
    "/credits",
    {
      config: { scope: "gateway:read" },
      schema: { summary: "Credit balance", response: { 200: credits, ...problemReplies } },
    },
    async (request) => {
      // What has been spent a moment ago is in the answer.
      await books.flush();
      const { balance, lifetimeSpend, debt } = await readBalance(queries, request.caller.workspace.id);
      return {
        object: "credits" as const,
        balance: formatDollars(balance),
        lifetime_spend: formatDollars(lifetimeSpend),
        total_used: formatDollars(lifetimeSpend),
        data: { total_credits: toNumber(balance + lifetimeSpend), total_usage: toNumber(lifetimeSpend) },
        // What earlier requests cost beyond the balance; nothing is served until it is paid.
        ...(debt > 0n ? { owed: formatDollars(debt) } : {}),
      };
    },
  );
}
