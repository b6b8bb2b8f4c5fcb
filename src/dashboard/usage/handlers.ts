import { eq } from "drizzle-orm";
import { apiKeys } from "../../accounts/tables.ts";
import type { UsageRecord } from "../../accounts/usage/record.ts";
import { Problem } from "../../platform/errors.ts";
import { EventStream } from "../../platform/http/server-sent-events.ts";
import { countIds } from "../../platform/ids.ts";
import type { Handlers, WorkspaceVisit } from "../context.ts";
import type { RouteRequest } from "../contract/routes.ts";
import type { RequestRow, Usage, UsageFigures } from "../contract/usage.ts";
import { nameFile, writeCsv } from "../csv.ts";
import type { DashboardParts } from "../parts.ts";
import { listRequests } from "./list-requests.ts";
import { measureUsage, otherGroups } from "./measure-usage.ts";
import { listPeriods, readStretch } from "./stretch.ts";

/** Open tails of one workspace; each costs a connection. */
const mostTails = 20;
/** A tail is opened again by the browser; meanwhile whoever lost the right to look is gone. */
const tailTermMs = 10 * 60_000;
const nextId = countIds("live_");
const nothing: UsageFigures = {
  requests: 0,
  errors: 0,
  p50Ms: null,
  p95Ms: null,
  p99Ms: null,
  inputTokens: 0,
  outputTokens: 0,
  cachedTokens: 0,
  audioSeconds: 0,
};

type Mine = "getUsage" | "downloadUsage" | "listRequests" | "tailRequests";

export function usageHandlers({ database, usage, clock }: DashboardParts): Handlers<Mine> {
  const { queries } = database;
  const tails = new Map<string, number>();

  /** Names of keys, also of those that are revoked or were the playground's. */
  async function keyNames(workspaceId: string): Promise<Map<string, string>> {
    const rows = await queries
      .select({ id: apiKeys.id, name: apiKeys.name })
      .from(apiKeys)
      .where(eq(apiKeys.workspaceId, workspaceId));
    return new Map(rows.map(({ id, name }) => [id, name]));
  }

  async function readUsage(query: RouteRequest<"getUsage">["query"], { workspace }: WorkspaceVisit): Promise<Usage> {
    const stretch = readStretch(query, clock.now());
    const { step, split } = query;
    await usage.flush();
    const measures = await measureUsage(queries, { ...query, ...stretch, workspaceId: workspace.id }, step, split);
    const names = split === "key" ? await keyNames(workspace.id) : new Map<string, string>();
    const periods = listPeriods(stretch, step);
    const figuresOf = (period: string | null, value: string | null): UsageFigures => {
      const found = measures.find((one) => one.period === period && one.value === value);
      if (!found) return nothing;
      const { period: _, value: __, ...figures } = found;
      return figures;
    };
    const totals = measures.filter(({ period, value }) => period === null && value !== null);
    const groups = totals
      .sort((a, b) => Number(a.value === otherGroups) - Number(b.value === otherGroups) || b.requests - a.requests)
      .map(({ value }) => ({
        value: value!,
        label: (names.get(value!) ?? value) || "none",
        totals: figuresOf(null, value),
        points: periods.map((period) => figuresOf(period, value)),
      }));
    return { ...stretch, step, periods, groups, totals: figuresOf(null, null) };
  }

  return {
    getUsage: ({ query }, visit) => readUsage(query, visit),

    async downloadUsage({ query }, visit) {
      const { periods, groups, from, to } = await readUsage(query, visit);
      nameFile(visit.reply, `usage-${from}-${to}.csv`);
      const names = Object.keys(nothing) as (keyof UsageFigures)[];
      const rows = groups.flatMap(({ label, points }) =>
        points.map((point, index) => [periods[index]!, label, ...names.map((name) => point[name])]),
      );
      return writeCsv([query.step, query.split === "none" ? "group" : query.split, ...names], rows);
    },

    async listRequests({ query }, { workspace }) {
      await usage.flush();
      const page = await listRequests(queries, { ...query, workspaceId: workspace.id }, clock.now());
      const names = await keyNames(workspace.id);
      const requests = page.requests.map((one) => ({ ...one, key: names.get(one.keyId ?? "") ?? "" }));
      return { requests, nextCursor: page.nextCursor };
    },

    async tailRequests(_input, { workspace, reply, request }) {
      const open = tails.get(workspace.id) ?? 0;
      if (open >= mostTails) throw new Problem("rate_limited", "Too many live views of this workspace are open.");
      let names = await keyNames(workspace.id);
      tails.set(workspace.id, open + 1);
      const stream = new EventStream(reply);
      const stop = usage.watch((record) => {
        if (record.workspaceId === workspace.id) tell(record).catch(() => {});
      });
      const tell = async (record: UsageRecord) => {
        if (!names.has(record.keyId)) names = await keyNames(workspace.id);
        await stream.send(showRecord(record, names.get(record.keyId) ?? ""));
      };
      const term = setTimeout(() => stream.end(), tailTermMs);
      request.raw.socket.once("close", () => stream.end());
      reply.raw.once("close", () => {
        clearTimeout(term);
        stop();
        stream.end();
        tails.set(workspace.id, tails.get(workspace.id)! - 1);
      });
    },
  };
}

function showRecord(record: UsageRecord, key: string): RequestRow {
  return {
    id: nextId(),
    at: new Date(record.at).toISOString(),
    service: record.service,
    route: record.route,
    status: record.status,
    durationMs: record.durationMs,
    keyId: record.keyId,
    key,
    model: record.model ?? null,
    voice: record.voice ?? null,
    language: record.language ?? null,
    inputTokens: record.inputTokens ?? null,
    outputTokens: record.outputTokens ?? null,
    audioSeconds: record.audioMs === undefined ? null : record.audioMs / 1000,
  };
}
