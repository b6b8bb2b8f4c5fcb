// How far the times of words are from the truth. Clips are joined with short pauses into recordings without a break of their own, so
// that the first and last word of each clip are known; times in between are spread. The error of a word's start is printed, and
// compared with spreading the words over the whole recording evenly.   npm run bench -- hearing/word-times [pause in ms, default 150] [--only=de,fr]
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { joinSamples, toPcm16 } from "../../src/audio/pcm.ts";
import { resample } from "../../src/audio/resample.ts";
import { readWav, wavHeader } from "../../src/audio/wav.ts";
import { transcribe } from "../../src/voice/transcription/transcribe.ts";
import { normalizeWords } from "./score.ts";
import { flagOf, readClips, startEngines } from "./setup.ts";
import { findSpeechBounds } from "./speech-bounds.ts";

const rate = 16_000;
const pauseMs = Number(process.argv.slice(2).find((argument) => !argument.startsWith("--")) ?? 150);
const { folder, clips } = readClips();
const engines = startEngines();

for (const language of flagOf("only")?.split(",") ?? ["en", "es", "de", "fr"]) {
  const chosen = clips.filter((clip) => clip.language === language && clip.seconds >= 2 && clip.seconds <= 12);
  const recordings = chosen.map(({ path }) => {
    const { samples, sampleRateHz } = readWav(readFileSync(join(folder, path)))!;
    return resample(samples, sampleRateHz, rate);
  });
  const bounds = await findSpeechBounds(recordings.map(toPcm16));
  const parts: Float32Array[] = [];
  const starts: number[] = [];
  let lengthMs = 0;
  for (const [index, samples] of recordings.entries()) {
    const { start, end } = bounds[index]!;
    parts.push(levelled(samples.subarray(start * 16, end * 16)), new Float32Array(pauseMs * 16));
    starts.push(lengthMs);
    lengthMs += end - start + pauseMs;
  }
  const pcm = toPcm16(joinSamples(parts));
  const bytes = Buffer.concat([wavHeader({ sampleRateHz: rate }, pcm.length), pcm]);
  const heard = await transcribe(
    engines,
    { bytes, language },
    { workspaceId: "w", keyId: "bench" },
    new AbortController().signal,
  );
  const words = heard.segments.flatMap((segment) => segment.words);
  const characters = words.reduce((sum, { word }) => sum + word.length + 1, 0);
  const errors: number[] = [];
  const evenErrors: number[] = [];
  let from = 0;
  for (const [index, { transcript }] of chosen.entries()) {
    const opening = normalizeWords(transcript, language).slice(0, 2).join(" ");
    const found = words.findIndex((_, at) => at >= from && openingAt(at) === opening);
    if (found < 0) continue;
    from = found + 1;
    const before = words.slice(0, found).reduce((sum, { word }) => sum + word.length + 1, 0);
    errors.push(Math.abs(words[found]!.startMs - starts[index]!));
    evenErrors.push(Math.abs((before / characters) * lengthMs - starts[index]!));
  }
  const isInOrder = words.every(({ startMs, endMs }, at) => endMs >= startMs && startMs >= (words[at - 1]?.endMs ?? 0));
  const isInside = words.every(({ endMs }) => endMs <= heard.durationMs);
  console.log(
    `${language}: ${errors.length} of ${chosen.length} sentences found in ${(lengthMs / 1000).toFixed(0)} s, ` +
      `${heard.segments.length} pieces; start of a sentence off by ${describe(errors)}; spread evenly ${describe(evenErrors)}; ` +
      `in order: ${isInOrder}, inside the recording: ${isInside}`,
  );

  function openingAt(at: number): string {
    const text = words
      .slice(at, at + 2)
      .map(({ word }) => word)
      .join(" ");
    return normalizeWords(text, language).slice(0, 2).join(" ");
  }
}
await engines.close();

/** As loud as the others, so that the joint is no step. */
function levelled(samples: Float32Array): Float32Array {
  const peak = samples.reduce((most, value) => Math.max(most, Math.abs(value)), 1e-6);
  return samples.map((value) => (0.5 * value) / peak);
}

function describe(values: readonly number[]): string {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))]?.toFixed(0);
  return `p50 ${at(0.5)} ms, p95 ${at(0.95)} ms`;
}
