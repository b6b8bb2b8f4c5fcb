import { existsSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { readCatalog } from "../../src/adapters/models/catalog.ts";
import { createModelStore } from "../../src/adapters/models/model-folder.ts";
import { toPcm16 } from "../../src/audio/pcm.ts";
import { resample } from "../../src/audio/resample.ts";
import { readWav, wavHeader } from "../../src/audio/wav.ts";
import { packageRoot } from "../../src/platform/package-root.ts";

const folder = join(process.env.PARLANCE_DATA ?? join(packageRoot(), "..", "shared", "data"), "speech");
const modelsDir =
  process.env.SVC_MODELS_DIR ?? join(process.env.XDG_CACHE_HOME || join(homedir(), ".cache"), "parlance", "models");

/** Why tests with real speech cannot run here; undefined when they can. */
export function whyNoHearing(): string | undefined {
  if (!existsSync(join(folder, "manifest.tsv"))) return "no human speech: set PARLANCE_DATA";
  const store = createModelStore(modelsDir, readCatalog());
  return ["moonshine-base-en", "moonshine-tiny-en", "moonshine-base-es", "silero-vad"]
    .map((id) => store.missing(id))
    .find(Boolean);
}

export const clips = {
  /** "He hoped there would be stew for dinner ..." and the like: 8 to 11 s of one English reader. */
  english: "librispeech__1089-134691-0000.wav",
  englishLong: "ljspeech__LJ001-0003.wav",
  spanish: "speechmatics-fleurs__es_419_000896.wav",
  german: "fleurs__fleurs-de-001.wav",
} as const;

export function readClip(name: string): Buffer {
  return readFileSync(join(folder, name));
}

export function transcriptOf(name: string): string {
  const row = readFileSync(join(folder, "manifest.tsv"), "utf8")
    .split("\n")
    .find((line) => line.startsWith(`${name}\t`));
  return row!.split("\t")[2]!;
}

/** 16-bit PCM at 16 kHz, as sockets take it. */
export function readPcm(name: string): Uint8Array {
  const { samples, sampleRateHz } = readWav(readClip(name))!;
  return toPcm16(resample(samples, sampleRateHz, 16_000));
}

export function silence(seconds: number): Uint8Array {
  return new Uint8Array(seconds * 32_000);
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
