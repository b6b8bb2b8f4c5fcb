import { sql } from "drizzle-orm";
import { dayMs, isoDateOf } from "../platform/days.ts";
import type { EngineGroup } from "../platform/settings/engine-settings.ts";
import type { Queries } from "../ports/database.ts";
import { finishSpeech } from "../voice/speech/synthesize.ts";
import type { Engines } from "./engines.ts";
import type { WarmTask } from "./warm-up.ts";

/** What was asked of the voice platform, the latest first. */
export interface LastUse {
  readonly route: string;
  readonly voice: string | null;
  readonly language: string | null;
}

const SINCE_DAYS = 7;
const turn = { key: "warm-up", flow: "warm-up" };

export async function readLastUses(queries: Queries, nowMs: number): Promise<LastUse[]> {
  const since = isoDateOf(new Date(nowMs - SINCE_DAYS * dayMs));
  // The last of each group will do: which of two came first within a moment makes no difference here.
  const { rows } = await queries.execute<{ route: string; voice: string | null; language: string | null }>(sql`
    SELECT route, voice, language FROM usage_groups
    WHERE service = 'voice' AND status < 400 AND day >= ${since}::date
    GROUP BY route, voice, language
    ORDER BY max(day) DESC, max(at_ms[cardinality(at_ms)]) DESC LIMIT 50`);
  return rows.map(({ route, voice, language }) => ({ route, voice, language }));
}

/** What to load ahead: each kind of work that was used lately, the latest first, and the default voice where none was. */
export function warmTasks(
  uses: readonly LastUse[],
  engines: Pick<Engines, "speech" | "hearing" | "words">,
  own: readonly EngineGroup[],
): WarmTask[] {
  const tasks = new Map<EngineGroup, WarmTask>();
  // Engines of other machines are theirs to load.
  const add = (kind: EngineGroup, task: WarmTask) => {
    if (own.includes(kind) && !tasks.has(kind)) tasks.set(kind, task);
  };
  for (const { route, voice, language } of uses) {
    if (/\/(?:speech|realtime\/tts)/.test(route)) add("speech", speechTask(engines, voice, language));
    else if (/\/(?:transcri|realtime\/stt)/.test(route)) add("transcription", hearingTask(engines, language));
    else if (/\/v1\/chat$/.test(route)) add("chat", chatTask(engines));
    else if (/\/v1\/translate$/.test(route)) add("translation", translationTask(engines, language));
    else if (/\/v1\/embeddings$/.test(route)) add("embeddings", embeddingTask(engines));
  }
  add("speech", speechTask(engines, null, null));
  return [...tasks.values()];
}

/** Says a word to nobody. */
function speechTask({ speech }: Pick<Engines, "speech">, voice: string | null, language: string | null): WarmTask {
  return {
    what: voice ? `speech ${voice}` : "speech",
    async run(signal) {
      const languages = speech.languages();
      if (languages.length === 0) throw new Error("no voice is here");
      // A voice that has gone since must not keep the default one from being loaded.
      const isHere = languages.some(({ code, voices }) => code === language && voices.some(({ id }) => id === voice));
      const how = isHere ? { voice: voice!, language: language! } : {};
      await finishSpeech(
        speech,
        { text: isHere && !language!.startsWith("en") ? "1" : "Hello.", ...how },
        { turn: "warm-up" },
        signal,
      );
    },
  };
}

function hearingTask({ hearing }: Pick<Engines, "hearing">, language: string | null): WarmTask {
  return {
    what: language ? `transcription ${language}` : "transcription",
    async run() {
      hearing.transcription.warm?.(language ?? undefined);
    },
  };
}

function chatTask({ words }: Pick<Engines, "words">): WarmTask {
  return {
    what: "chat",
    async run(signal) {
      const messages = [{ role: "user", content: "Hello" }] as const;
      for await (const _ of words.chat.answer({ messages, maxTokens: 1, ...turn }, signal)) {
        // One word is enough.
      }
    },
  };
}

function translationTask({ words }: Pick<Engines, "words">, language: string | null): WarmTask {
  return {
    what: language ? `translation ${language}` : "translation",
    async run(signal) {
      const directions = words.translation.directions();
      const into = directions.find(({ source, target }) => source === "en-us" && target === language);
      const { source, target } = into ?? directions[0]!;
      await words.translation.translate({ text: "Hello.", source, target, ...turn }, signal);
    },
  };
}

function embeddingTask({ words }: Pick<Engines, "words">): WarmTask {
  return { what: "embeddings", run: (signal) => words.plainEmbeddings.embed({ texts: ["Hello"], ...turn }, signal) };
}
