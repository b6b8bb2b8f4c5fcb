import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { SPEAKER_NUMBERS } from "../piper/files.ts";
import { PRINT_NUMBERS } from "../xvector/files.ts";

// What was fitted offline (bench/cloning): how a voice print becomes a speaker of Piper, and what trained voices sound like.
export const VOICE_MAP_MODEL = "voice-map";
export const MAP_FILE = "map.f32";
export const STOCK_FILE = "stock-voices.json";

const timbre = z.object({ hertz: z.array(z.number()), decibels: z.array(z.number()) });

/** How a voice sounds, as far as it is measured. */
export const sound = z.object({ medianHz: z.number(), rangeSemitones: z.number(), timbre });
export type Sound = z.infer<typeof sound>;

const stockVoice = sound.extend({ print: z.array(z.number()).length(PRINT_NUMBERS) });
export type StockVoice = z.infer<typeof stockVoice>;

export interface VoiceMap {
  /** The speaker vector that sounds most like a print. */
  toSpeaker(print: ArrayLike<number>): Float32Array;
  readonly stock: ReadonlyMap<string, StockVoice>;
}

export async function readVoiceMap(folder: string): Promise<VoiceMap> {
  const bytes = await readFile(join(folder, MAP_FILE));
  const numbers = new Float32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength));
  const stock = z.record(z.string(), stockVoice).parse(JSON.parse(await readFile(join(folder, STOCK_FILE), "utf8")));
  return { toSpeaker: (print) => applyMap(numbers, print), stock: new Map(Object.entries(stock)) };
}

/** First the mean print, then the mean speaker, then a row of the matrix for each number of the print. */
export function applyMap(numbers: Float32Array, print: ArrayLike<number>): Float32Array {
  const speaker = numbers.slice(PRINT_NUMBERS, PRINT_NUMBERS + SPEAKER_NUMBERS);
  for (let i = 0; i < PRINT_NUMBERS; i++) {
    const weight = print[i]! - numbers[i]!;
    const row = PRINT_NUMBERS + SPEAKER_NUMBERS * (i + 1);
    for (let j = 0; j < SPEAKER_NUMBERS; j++) speaker[j]! += weight * numbers[row + j]!;
  }
  return speaker;
}
