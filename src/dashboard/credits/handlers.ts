import { and, desc, eq, sql } from "drizzle-orm";
import { workspaces } from "../../accounts/tables.ts";
import { audit } from "../../audit/audit.ts";
import { readBalance } from "../../credits/ledger.ts";
import { formatDollars, type Pico, parseDollars } from "../../credits/money.ts";
import { creditLedger } from "../../credits/tables.ts";
import { type SpendRow, summarizeSpend } from "../../gateway/report/summarize.ts";
import { isoDateOf } from "../../platform/days.ts";
import { readCursor, writeCursor } from "../../platform/http/cursor.ts";
import type { Handlers } from "../context.ts";
import type { Credits, Spend } from "../contract/credits.ts";
import type { RouteRequest } from "../contract/routes.ts";
import { nameFile, writeCsv } from "../csv.ts";
import type { DashboardParts } from "../parts.ts";
import { readStretch } from "../usage/stretch.ts";

type Mine = "getCredits" | "setLowBalance" | "listCreditHistory" | "getSpend" | "downloadSpend";

export function creditHandlers({ database, gateway, clock }: DashboardParts): Handlers<Mine> {
  const { queries } = database;

  async function showCredits(workspaceId: string): Promise<Credits> {
    // What has been spent a moment ago is in the answer.
    await gateway.books.flush();
    const today = isoDateOf(new Date(clock.now()));
    const month = { from: `${today.slice(0, 7)}-01`, to: today };
    const [{ balance, lifetimeSpend, debt }, [workspace], days] = await Promise.all([
      readBalance(queries, workspaceId),
      queries.select({ lowBalance: workspaces.lowBalance }).from(workspaces).where(eq(workspaces.id, workspaceId)),
      summarizeSpend(queries, { workspaceId, groupBy: "day", ...month }),
    ]);
    const lowBalance = workspace?.lowBalance ?? null;
    return {
      balanceUsd: formatDollars(balance),
      lifetimeSpendUsd: formatDollars(lifetimeSpend),
      debtUsd: formatDollars(debt),
      spentThisMonthUsd: formatDollars(sum(days, ({ charge }) => charge)),
      lowBalanceUsd: lowBalance === null ? null : formatDollars(lowBalance),
      isLow: debt > 0n || (lowBalance !== null && balance < lowBalance),
    };
  }

  async function readSpend(query: RouteRequest<"getSpend">["query"], workspaceId: string): Promise<Spend> {
    const stretch = readStretch(query, clock.now());
    await gateway.books.flush();
    const rows = await summarizeSpend(queries, { workspaceId, groupBy: query.groupBy, ...stretch });
    return {
      ...stretch,
      rows: rows.map((row) => ({ period: row.period, model: row.model, provider: row.provider, ...showSums([row]) })),
      totals: showSums(rows),
    };
  }

  return {
    getCredits: (_input, { workspace }) => showCredits(workspace.id),

    async setLowBalance({ body }, { workspace, user, address }) {
      const { lowBalanceUsd } = body;
      await queries.transaction(async (transaction) => {
        await transaction
          .update(workspaces)
          .set({ lowBalance: lowBalanceUsd === null ? null : parseDollars(lowBalanceUsd) })
          .where(eq(workspaces.id, workspace.id));
        const details = { lowBalanceUsd };
        await audit(transaction, { action: "low-balance-changed", actor: user, workspace, details, address });
      });
      return showCredits(workspace.id);
    },

    async listCreditHistory({ query }, { workspace }) {
      const { limit, cursor } = query;
      const place = cursor ? readCursor(cursor, "nextCursor") : undefined;
      const { id } = creditLedger;
      // Cursors have milliseconds, the database microseconds.
      const at = sql<Date>`date_trunc('milliseconds', ${creditLedger.at})`;
      await gateway.books.flush();
      const rows = await queries
        .select()
        .from(creditLedger)
        .where(
          and(
            eq(creditLedger.workspaceId, workspace.id),
            place && sql`(${at}, ${id}) < (${place.createdAt.toISOString()}::timestamptz, ${place.id})`,
          ),
        )
        .orderBy(desc(at), desc(id))
        .limit(limit + 1);
      const entries = rows.slice(0, limit);
      const last = rows.length > limit ? entries.at(-1) : undefined;
      return {
        entries: entries.map((entry) => ({
          id: entry.id,
          at: entry.at.toISOString(),
          kind: entry.kind,
          amountUsd: formatDollars(entry.amount),
          note: entry.note,
        })),
        nextCursor: last ? writeCursor({ createdAt: last.at, id: last.id }) : null,
      };
    },

    getSpend: ({ query }, { workspace }) => readSpend(query, workspace.id),

    async downloadSpend({ query }, { workspace, reply }) {
      const { rows, from, to } = await readSpend(query, workspace.id);
      nameFile(reply, `spend-${from}-${to}.csv`);
      const header = [query.groupBy, "provider", "requests", "input_tokens", "output_tokens", "cost_usd", "charge_usd"];
      return writeCsv(
        header,
        rows.map((row) => [
          row.period,
          row.provider,
          row.requests,
          row.inputTokens,
          row.outputTokens,
          row.costUsd,
          row.chargeUsd,
        ]),
      );
    },
  };
}

function showSums(rows: readonly SpendRow[]): Spend["totals"] {
  return {
    requests: Number(sum(rows, ({ requests }) => requests)),
    inputTokens: Number(sum(rows, ({ inputTokens }) => inputTokens)),
    outputTokens: Number(sum(rows, ({ outputTokens }) => outputTokens)),
    costUsd: formatDollars(sum(rows, ({ cost }) => cost)),
    chargeUsd: formatDollars(sum(rows, ({ charge }) => charge)),
  };
}

function sum(rows: readonly SpendRow[], read: (row: SpendRow) => bigint): Pico {
  return rows.reduce((total, row) => total + read(row), 0n);
}
