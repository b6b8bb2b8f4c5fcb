import { and, eq, isNull } from "drizzle-orm";
import { apiKeys } from "../../accounts/tables.ts";
import type { UsageRecord } from "../../accounts/usage/record.ts";
import { shareWatch } from "../../accounts/usage/share-watch.ts";
import { Problem } from "../../platform/errors.ts";
import { EventStream } from "../../platform/http/server-sent-events.ts";
import { countIds } from "../../platform/ids.ts";
import type { Queries } from "../../ports/database.ts";
import type { Handlers, WorkspaceVisit } from "../context.ts";
import type { RouteRequest } from "../contract/routes.ts";
import { type RequestRow, type Usage, type UsageFigures, usageFigures } from "../contract/usage.ts";
import { nameFile, writeCsv } from "../csv.ts";
import type { DashboardParts } from "../parts.ts";
import { memberships, userSessions } from "../tables.ts";
import { listRequests } from "./list-requests.ts";
import { measureUsage } from "./measure-usage.ts";
import { readStretch } from "./stretch.ts";
import { createTallyDays } from "./tally-days.ts";

/** Open tails of one workspace; each costs a connection. */
const mostTails = 20;
/** Whoever signs out or leaves the workspace sees nothing more after so long. */
const checkEveryMs = 5000;
const nextId = countIds("live_");
type Mine = "getUsage" | "downloadUsage" | "listRequests" | "tailRequests";

export function usageHandlers(
  { database, usage, clock, cluster }: DashboardParts,
  onClose: (close: () => void) => void,
): Handlers<Mine> {
  const { queries } = database;
  const tallyDays = createTallyDays(queries, () => clock.now());
  const tails = new Map<string, number>();
  const streams = new Set<EventStream>();
  const everywhere = shareWatch(usage, cluster.bus, cluster.name);
  onClose(() => {
    everywhere.close();
    for (const stream of streams) stream.end();
  });

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
    const { step, split, ...filter } = query;
    await usage.flush();
    const measured = measureUsage(await tallyDays(workspace.id, stretch), { stretch, step, split, filter });
    const names = split === "key" ? await keyNames(workspace.id) : new Map<string, string>();
    const groups = measured.groups.map((group) => ({ ...group, label: names.get(group.value) ?? group.label }));
    return { ...stretch, step, ...measured, groups };
  }

  return {
    getUsage: ({ query }, visit) => readUsage(query, visit),

    async downloadUsage({ query }, visit) {
      const { periods, groups, from, to } = await readUsage(query, visit);
      nameFile(visit.reply, `usage-${from}-${to}.csv`);
      const names = Object.keys(usageFigures.shape) as (keyof UsageFigures)[];
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

    async tailRequests(_input, { workspace, reply, user, session }) {
      const open = tails.get(workspace.id) ?? 0;
      if (open >= mostTails) throw new Problem("rate_limited", "Too many live views of this workspace are open.");
      let names = await keyNames(workspace.id);
      tails.set(workspace.id, open + 1);
      const stream = new EventStream(reply);
      streams.add(stream);
      const stop = everywhere.watch(workspace.id, (record) => void tell(record).catch(() => {}));
      const tell = async (record: UsageRecord) => {
        if (!names.has(record.keyId)) names = await keyNames(workspace.id);
        stream.offer(showRecord(record, names.get(record.keyId) ?? ""));
      };
      const check = setInterval(() => {
        isStillIn(queries, workspace.id, user.id, session.id).then(
          (isIn) => isIn || stream.end(),
          () => stream.end(),
        );
      }, checkEveryMs);
      reply.raw.once("close", () => {
        clearInterval(check);
        streams.delete(stream);
        stop();
        stream.end();
        tails.set(workspace.id, tails.get(workspace.id)! - 1);
      });
    },
  };
}

async function isStillIn(queries: Queries, workspaceId: string, userId: string, sessionId: string): Promise<boolean> {
  const [found] = await queries
    .select({ id: userSessions.id })
    .from(userSessions)
    .innerJoin(memberships, eq(memberships.userId, userSessions.userId))
    .where(
      and(
        eq(userSessions.id, sessionId),
        eq(userSessions.userId, userId),
        isNull(userSessions.endedAt),
        eq(memberships.workspaceId, workspaceId),
      ),
    );
  return found !== undefined;
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
