import { readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { readCatalog } from "../../src/adapters/models/catalog.ts";
import { createModelStore } from "../../src/adapters/models/model-folder.ts";
import { fromPcm16, toPcm16 } from "../../src/audio/pcm.ts";
import { resample } from "../../src/audio/resample.ts";
import { readWav, wavHeader } from "../../src/audio/wav.ts";
import { packageRoot } from "../../src/platform/package-root.ts";

const folder = join(packageRoot(), "tests", "fixtures", "speech");
const modelsDir =
  process.env.SVC_MODELS_DIR ?? join(process.env.XDG_CACHE_HOME || join(homedir(), ".cache"), "parlance", "models");

/** Why tests with real recognisers cannot run here; undefined when they can. */
export function whyNoHearing(): string | undefined {
  const store = createModelStore(modelsDir, readCatalog());
  return ["moonshine-base-en", "moonshine-tiny-en", "moonshine-base-es", "silero-vad", "whisper-small", "whisper-base"]
    .map((id) => store.missing(id))
    .find(Boolean);
}

/** Spoken by this platform's own voices. How people are understood is what bench/hearing measures. */
export const clips = {
  english: "english.wav",
  englishLong: "english-long.wav",
  spanish: "spanish.wav",
  /** The same with pictures. */
  spanishVideos: ["spanish.webm", "spanish.mp4"],
  german: "german.wav",
  french: "french.wav",
  /** In no language that is heard here. */
  malayalam: "malayalam.wav",
} as const;

const transcripts: Record<string, string> = {
  [clips.english]: "He could wait no longer.",
  [clips.englishLong]:
    "For although the Chinese took impressions from wood blocks engraved in relief, the printers of the Netherlands " +
    "came by a similar process.",
  [clips.spanish]:
    "Es esencial que cuente con calzado de suelas apropiadas, porque los zapatos de verano resbalan mucho en el hielo " +
    "y la nieve.",
  [clips.german]: "Der alte Mann ging jeden Morgen durch den Wald und sprach mit den Vögeln.",
  [clips.french]: "Le petit train traverse la vallée tous les matins, et les enfants lui font signe depuis la fenêtre.",
};

export function readClip(name: string): Buffer {
  return readFileSync(join(folder, name));
}

export function transcriptOf(name: string): string {
  return transcripts[name]!;
}

/** 16-bit PCM at 16 kHz, as sockets take it. */
export function readPcm(name: string): Uint8Array {
  const { samples, sampleRateHz } = readWav(readClip(name))!;
  return toPcm16(resample(samples, sampleRateHz, 16_000));
}

export function silence(seconds: number): Uint8Array {
  return new Uint8Array(seconds * 32_000);
}

/** The same 16-bit PCM, spoken from further away. */
export function quieter(pcm: Uint8Array, times: number): Uint8Array {
  return toPcm16(fromPcm16(pcm).map((value) => value / times));
}

export function toWav(pcm: Uint8Array, sampleRateHz = 16_000): Buffer {
  return Buffer.concat([wavHeader({ sampleRateHz }, pcm.length), pcm]);
}

/** Bare lower-case words. */
export function wordsOf(text: string): string[] {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}' ]+/gu, " ")
    .split(/\s+/)
    .filter(Boolean);
}

/** The share of the reference's words that were heard, in any order. */
export function shareHeard(reference: string, heard: string): number {
  const known = new Set(wordsOf(heard));
  const wanted = wordsOf(reference);
  return wanted.filter((word) => known.has(word)).length / wanted.length;
}
