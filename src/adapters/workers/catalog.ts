import type { SpokenLanguage } from "../../ports/speech-engine.ts";
import type { HearingRating } from "../../ports/transcription-engine.ts";
import type { Direction } from "../../ports/translation-engine.ts";
import type { CloneMatch } from "../../ports/voice-cloner.ts";
import { ANY, type Lane } from "./protocol.ts";

/** What a worker can do, as it tells others: only names, so that it survives JSON. An engine that it does not run, or that lacks
 *  its model, is not there. */
export interface Catalog {
  speech?: { languages: (SpokenLanguage & { sampleRateHz: number })[] };
  transcription?: {
    languages: string[];
    ratings: Record<string, HearingRating>;
    takesAnyLanguage: boolean;
    translates: boolean;
  };
  cloning?: { name: string; matches: Record<string, CloneMatch> };
  translation?: { directions: Direction[]; takesAnyDirection: boolean; modelName?: string };
  chat?: { modelName?: string };
  embeddings?: { modelName?: string };
  reranking?: object;
  media?: object;
  activity?: object;
  prints?: object;
  language?: object;
  reader?: object;
  understanding?: object;
}

export type EngineName = keyof Catalog;

/** Those whose every job is alike. */
const plainEngines = [
  "chat",
  "embeddings",
  "reranking",
  "media",
  "activity",
  "prints",
  "language",
  "reader",
  "understanding",
] as const;

/** The queue groups that a worker with this catalog joins. */
export function lanesOf(catalog: Catalog): Lane[] {
  const lanes: Lane[] = [];
  const add = (engine: EngineName, language: string, model = ANY) => lanes.push({ engine, model, language });
  for (const { code, voices } of catalog.speech?.languages ?? []) {
    for (const { id } of voices) add("speech", code, id);
  }
  for (const language of [ANY, ...(catalog.transcription?.languages ?? [])]) {
    if (catalog.transcription) add("transcription", language);
  }
  for (const language of [ANY, ...Object.keys(catalog.cloning?.matches ?? {})]) {
    if (catalog.cloning) add("cloning", language, catalog.cloning.name);
  }
  for (const { source, target } of catalog.translation?.directions ?? []) add("translation", `${source}_${target}`);
  if (catalog.translation?.takesAnyDirection) add("translation", ANY);
  for (const engine of plainEngines) if (catalog[engine]) add(engine, ANY);
  return lanes;
}
