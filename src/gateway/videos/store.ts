import { and, eq, isNull, lt, or } from "drizzle-orm";
import { boolean, json, pgTable, text, timestamp } from "drizzle-orm/pg-core";
import type { Queries } from "../../ports/database.ts";
import { isObject, type Json } from "../json.ts";
import type { videoStates } from "./schema.ts";

const gatewayVideos = pgTable("gateway_videos", {
  id: text("id").primaryKey(),
  workspaceId: text("workspace_id").notNull(),
  status: text("status").$type<(typeof videoStates)[number]>().notNull(),
  isNamed: boolean("is_named").notNull().default(false),
  result: json("result").$type<Json>(),
  error: json("error").$type<{ message: string; type: string }>(),
  createdAt: timestamp("created_at", { withTimezone: true, mode: "date" }).notNull(),
  endedAt: timestamp("ended_at", { withTimezone: true, mode: "date" }),
});
export type Video = typeof gatewayVideos.$inferSelect;

export type Outcome = { result: Json } | { error: { message: string; type: string } };

export interface VideoStore {
  add(id: string, workspaceId: string, createdAt: Date): Promise<void>;
  /** The upstream has named its job; within the transaction that hands it on. */
  name(within: Queries, id: string): Promise<void>;
  /** The first word counts: false when there was one. */
  end(within: Queries, id: string, outcome: Outcome, at: Date): Promise<boolean>;
  find(workspaceId: string, id: string): Promise<Video | undefined>;
  isOver(id: string): Promise<boolean>;
  /** Forgets what ended before `endedBefore`, and what began before `begunBefore` and never ended. */
  forget(endedBefore: Date, begunBefore: Date): Promise<void>;
}

export function createVideoStore(queries: Queries): VideoStore {
  return {
    async add(id, workspaceId, createdAt) {
      await queries.insert(gatewayVideos).values({ id, workspaceId, status: "queued", createdAt });
    },
    async name(within, id) {
      await within.update(gatewayVideos).set({ isNamed: true, status: "running" }).where(eq(gatewayVideos.id, id));
    },
    async end(within, id, outcome, endedAt) {
      const change =
        "result" in outcome
          ? { status: "completed" as const, result: whereItIs(outcome.result) }
          : { status: "failed" as const, error: outcome.error };
      const ended = await within
        .update(gatewayVideos)
        .set({ ...change, endedAt })
        .where(and(eq(gatewayVideos.id, id), isNull(gatewayVideos.endedAt)))
        .returning({ id: gatewayVideos.id });
      return ended.length > 0;
    },
    async find(workspaceId, id) {
      const isIt = and(eq(gatewayVideos.id, id), eq(gatewayVideos.workspaceId, workspaceId));
      return (await queries.select().from(gatewayVideos).where(isIt))[0];
    },
    async isOver(id) {
      const isOpen = and(eq(gatewayVideos.id, id), isNull(gatewayVideos.endedAt));
      return (await queries.select({ id: gatewayVideos.id }).from(gatewayVideos).where(isOpen)).length === 0;
    },
    async forget(endedBefore, begunBefore) {
      const isLost = and(isNull(gatewayVideos.endedAt), lt(gatewayVideos.createdAt, begunBefore));
      await queries.delete(gatewayVideos).where(or(lt(gatewayVideos.endedAt, endedBefore), isLost));
    },
  };
}

/** Of a result only what leads to the video: no words, and none of its bytes. */
function whereItIs({ model, usage, data, unsigned_urls }: Json): Json {
  const files = Array.isArray(data) ? data.filter(isObject) : undefined;
  return {
    ...(typeof model === "string" ? { model } : {}),
    ...(isObject(usage) ? { usage } : {}),
    ...(files ? { data: files.map(({ url, media_type }) => ({ url, media_type })) } : {}),
    ...(Array.isArray(unsigned_urls) ? { unsigned_urls } : {}),
  };
}
