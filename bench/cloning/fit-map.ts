import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { PIPER_SPEAKERS, SPEAKER_NUMBERS } from "../../src/adapters/engines/piper/files.ts";
import { PIPER_MODEL } from "../../src/adapters/engines/piper/piper.ts";
import { PRINT_NUMBERS } from "../../src/adapters/engines/xvector/files.ts";
import { modelStore } from "../../tests/support/local-speech.ts";
import { isHeldOut } from "./held-out.ts";

/** Fits the map from voice prints to speakers (ridge regression) on what speak-bank.ts wrote, and writes models/voice-map/map.f32.
 *  Speakers of the bench are left out, always. */
const RIDGE = 1;

const bank = readFileSync(process.argv[2]!, "utf8")
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line) as { speaker: number; prints: number[][] })
  .filter(({ speaker }) => !isHeldOut(speaker));
const table = readFileSync(join(modelStore.folder(PIPER_MODEL), PIPER_SPEAKERS));
const speakerOf = (speaker: number) =>
  Float64Array.from({ length: SPEAKER_NUMBERS }, (_, i) => table.readFloatLE((speaker * SPEAKER_NUMBERS + i) * 4));
const rows = bank.flatMap(({ speaker, prints }) => prints.map((print) => ({ print, speaker: speakerOf(speaker) })));
const meanPrint = meanOf(
  rows.map(({ print }) => print),
  PRINT_NUMBERS,
);
const meanSpeaker = meanOf(
  rows.map(({ speaker }) => speaker),
  SPEAKER_NUMBERS,
);

/** The normal equations, with the right side beside them. */
const width = PRINT_NUMBERS + SPEAKER_NUMBERS;
const system = Array.from({ length: PRINT_NUMBERS }, () => new Float64Array(width));
for (const { print, speaker } of rows) {
  const centred = print.map((value, i) => value - meanPrint[i]!);
  for (const [i, row] of system.entries()) {
    for (let j = 0; j < PRINT_NUMBERS; j++) row[j]! += centred[i]! * centred[j]!;
    for (let j = 0; j < SPEAKER_NUMBERS; j++) row[PRINT_NUMBERS + j]! += centred[i]! * (speaker[j]! - meanSpeaker[j]!);
  }
}
for (const [i, row] of system.entries()) row[i]! += RIDGE;
for (const [i, pivot] of system.entries()) {
  const scale = pivot[i]!;
  for (let j = i; j < width; j++) pivot[j]! /= scale;
  for (const [k, row] of system.entries()) {
    const factor = row[i]!;
    if (k !== i && factor !== 0) for (let j = i; j < width; j++) row[j]! -= factor * pivot[j]!;
  }
}
const map = Float32Array.from([
  ...meanPrint,
  ...meanSpeaker,
  ...system.flatMap((row) => [...row.subarray(PRINT_NUMBERS)]),
]);
writeFileSync("models/voice-map/map.f32", new Uint8Array(map.buffer));
console.log(`fitted on ${bank.length} speakers, ${rows.length} prints`);

function meanOf(values: readonly ArrayLike<number>[], length: number): Float64Array {
  const mean = new Float64Array(length);
  for (const value of values) for (let i = 0; i < length; i++) mean[i]! += value[i]! / values.length;
  return mean;
}
