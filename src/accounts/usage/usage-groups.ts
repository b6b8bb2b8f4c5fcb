import { sql } from "drizzle-orm";
import { dayMs, isoDate } from "../../platform/days.ts";
import { storableCount, storableText } from "../../platform/storable.ts";
import type { Queries } from "../../ports/database.ts";
import type { UsageRecord } from "./record.ts";

const figures = ["atMs", "durationMs", "inputTokens", "outputTokens", "cachedTokens", "audioMs"] as const;
type Figure = (typeof figures)[number];
type Figures = Record<Figure, (number | undefined)[]>;

/** Requests of a day (UTC) that are alike in everything but their figures. */
interface Group {
  readonly dayNumber: number;
  readonly kind: Omit<UsageRecord, Figure | "at">;
  /** The kind as JSON without its last brace, which begins every line of the journal. */
  readonly line: string;
  readonly figures: Figures;
}

/** Collects usage records by what they have in common: the database has it once for all of them, and a record is no more than its
 *  figures. */
export class UsageGroups {
  readonly #groups = new Map<string, Group>();
  #last: Group | undefined;

  static of(records: Iterable<UsageRecord>): UsageGroups {
    const groups = new UsageGroups();
    for (const record of records) groups.add(record);
    return groups;
  }

  get isEmpty(): boolean {
    return this.#groups.size === 0;
  }

  get size(): number {
    return [...this.#groups.values()].reduce((sum, group) => sum + group.figures.atMs.length, 0);
  }

  /** The records one by one. */
  list(): UsageRecord[] {
    return [...this.#groups.values()].flatMap(({ dayNumber, kind, figures: { atMs, ...lists } }) =>
      atMs.map((time, index) => {
        const own = Object.entries(lists).flatMap(([name, list]) =>
          list[index] === undefined ? [] : [[name, list[index]]],
        );
        return { ...kind, at: dayNumber * dayMs + time!, ...Object.fromEntries(own) };
      }),
    );
  }

  /** Returns the record as a line of JSON. Written out field by field: this runs for every request. */
  add(record: UsageRecord): string {
    const dayNumber = Math.floor(record.at / dayMs);
    const group = this.#groupOf(record, dayNumber);
    const { at } = record;
    const durationMs = storableCount(record.durationMs);
    const inputTokens = count(record.inputTokens);
    const outputTokens = count(record.outputTokens);
    const cachedTokens = count(record.cachedTokens);
    const audioMs = count(record.audioMs);
    const lists = group.figures;
    lists.atMs.push(at - dayNumber * dayMs);
    lists.durationMs.push(durationMs);
    lists.inputTokens.push(inputTokens);
    lists.outputTokens.push(outputTokens);
    lists.cachedTokens.push(cachedTokens);
    lists.audioMs.push(audioMs);
    let line = `${group.line},"at":${at},"durationMs":${durationMs}`;
    if (inputTokens !== undefined) line += `,"inputTokens":${inputTokens}`;
    if (outputTokens !== undefined) line += `,"outputTokens":${outputTokens}`;
    if (cachedTokens !== undefined) line += `,"cachedTokens":${cachedTokens}`;
    if (audioMs !== undefined) line += `,"audioMs":${audioMs}`;
    return `${line}}\n`;
  }

  /** Brings everything in, unless `journal` has already been brought in up to `position`: all of it or nothing. */
  async insert(queries: Queries, journal: string, position: number): Promise<void> {
    const groups = [...this.#groups.values()].map(({ dayNumber, kind, figures: lists }) => ({
      ...kind,
      day: isoDate(dayNumber),
      ...Object.fromEntries(figures.map((name) => [name, arrayOf(lists[name])])),
    }));
    await queries.execute(sql`
      WITH news AS (
        INSERT INTO usage_marks AS mark (journal, position) VALUES (${journal}, ${position})
        ON CONFLICT (journal) DO UPDATE SET position = excluded.position WHERE mark.position < excluded.position
        RETURNING 1
      )
      INSERT INTO usage_groups (day, workspace_id, key_id, service, route, status, voice, language, model, at_ms, duration_ms,
        input_tokens, output_tokens, cached_tokens, audio_ms)
      SELECT day, "workspaceId", "keyId", service, route, status, voice, language, model, "atMs"::integer[],
        "durationMs"::integer[], "inputTokens"::integer[], "outputTokens"::integer[], "cachedTokens"::integer[],
        "audioMs"::integer[]
      FROM news, json_to_recordset(${JSON.stringify(groups)}::json) AS g (day date, "workspaceId" text, "keyId" text,
        service text, route text, status integer, voice text, language text, model text, "atMs" text, "durationMs" text,
        "inputTokens" text, "outputTokens" text, "cachedTokens" text, "audioMs" text)`);
  }

  #groupOf(record: UsageRecord, dayNumber: number): Group {
    if (this.#last?.dayNumber === dayNumber && isAlike(this.#last.kind, record)) return this.#last;
    const { workspaceId, keyId, service, route, status, voice, language, model } = record;
    // Only a model's name comes from outside, so it stands last.
    const name = `${dayNumber}\n${keyId}\n${status}\n${route}\n${voice ?? ""}\n${language ?? ""}\n${model ?? ""}`;
    let group = this.#groups.get(name);
    if (!group) {
      const texts = Object.entries({ voice, language, model }).filter(([, text]) => text !== undefined);
      const given = Object.fromEntries(texts.map(([field, text]) => [field, storableText(String(text))]));
      const kind = { workspaceId, keyId, service, route, status, ...given };
      const lists = Object.fromEntries(figures.map((figure) => [figure, []])) as unknown as Figures;
      group = { dayNumber, kind, line: JSON.stringify(kind).slice(0, -1), figures: lists };
      this.#groups.set(name, group);
    }
    this.#last = group;
    return group;
  }
}

function isAlike(kind: Group["kind"], record: UsageRecord): boolean {
  return (
    kind.keyId === record.keyId &&
    kind.status === record.status &&
    kind.route === record.route &&
    kind.model === record.model &&
    kind.voice === record.voice &&
    kind.language === record.language
  );
}

function count(given: number | undefined): number | undefined {
  return given === undefined ? undefined : storableCount(given);
}

/** As Postgres writes arrays; null, which is shorter, when there is nothing in it. */
function arrayOf(values: (number | undefined)[]): string | null {
  if (values.every((value) => value === undefined)) return null;
  return `{${values.map((value) => value ?? "null").join(",")}}`;
}
