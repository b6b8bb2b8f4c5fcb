import { sql } from "drizzle-orm";
import { dayMs, isoDateOf } from "../../platform/days.ts";
import type { Queries } from "../../ports/database.ts";
import type { Stretch } from "./stretch.ts";
import { Tally } from "./tally.ts";

/** Requests of one day that have all of this in common. */
export interface DayTally {
  readonly day: string;
  readonly keyId: string;
  readonly service: string;
  readonly route: string;
  readonly status: number;
  readonly voice: string;
  readonly language: string;
  readonly model: string;
  readonly tally: Tally;
}

export type TallyDays = (workspaceId: string, stretch: Stretch) => Promise<DayTally[]>;

/** Rows read at once: the database serves others between two readings. */
const pageRows = 2000;
/** Records come in within seconds, after a crash with the next start; days before yesterday do not change any more. */
const settledDays = 2;
const mostKept = 100_000;

type GroupRow = Record<"place" | "key_id" | "service" | "route" | "durations", string> & {
  status: number;
} & Record<"voice" | "language" | "model" | "input" | "output" | "cached" | "audio", string | null>;

/** Adds the requests of a workspace up, by day and by what they have in common. The arrays are unpacked here: a million requests took
 *  the embedded database 40 s to unpack and sort on a busy machine of two cores, while nobody else was served. This way it was 6 s in
 *  small pieces, and half a second with the days that are remembered. */
export function createTallyDays(queries: Queries, now: () => number): TallyDays {
  const kept = new Map<string, DayTally[]>();
  let size = 0;

  async function tallyDay(workspaceId: string, day: string): Promise<DayTally[]> {
    const name = `${workspaceId} ${day}`;
    const known = kept.get(name);
    if (known) return known;
    const tallies = await readDay(queries, workspaceId, day);
    if (day < isoDateOf(new Date(now() - settledDays * dayMs))) {
      if (size > mostKept) {
        kept.clear();
        size = 0;
      }
      kept.set(name, tallies);
      size += tallies.length;
    }
    return tallies;
  }

  return async (workspaceId, { from, to }) => {
    const { rows } = await queries.execute<{ day: string }>(sql`
      SELECT DISTINCT day::text AS day FROM usage_groups
      WHERE workspace_id = ${workspaceId} AND day >= ${from}::date AND day <= ${to}::date ORDER BY 1`);
    const all: DayTally[] = [];
    for (const { day } of rows) for (const tally of await tallyDay(workspaceId, day)) all.push(tally);
    return all;
  };
}

async function readDay(queries: Queries, workspaceId: string, day: string): Promise<DayTally[]> {
  const tallies = new Map<string, DayTally>();
  let place = "(0,0)";
  for (;;) {
    const { rows } = await queries.execute<GroupRow>(sql`
      SELECT ctid::text AS place, coalesce(key_id, '') AS key_id, service, route, status, voice, language, model,
        duration_ms::text AS durations, input_tokens::text AS input, output_tokens::text AS output,
        cached_tokens::text AS cached, audio_ms::text AS audio
      FROM usage_groups
      WHERE workspace_id = ${workspaceId} AND day = ${day}::date AND ctid > ${place}::tid
      ORDER BY ctid LIMIT ${pageRows}`);
    for (const row of rows) findTally(tallies, row, day).addGroup(row);
    const last = rows.at(-1);
    if (!last || rows.length < pageRows) return [...tallies.values()];
    place = last.place;
  }
}

function findTally(tallies: Map<string, DayTally>, row: GroupRow, day: string): Tally {
  const { key_id: keyId, service, route, status, voice, language, model } = row;
  const name = JSON.stringify([keyId, service, route, status, voice, language, model]);
  let found = tallies.get(name);
  if (!found) {
    const texts = { voice: voice ?? "", language: language ?? "", model: model ?? "" };
    found = { day, keyId, service, route, status, ...texts, tally: new Tally() };
    tallies.set(name, found);
  }
  return found.tally;
}
