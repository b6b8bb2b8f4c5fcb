import { fromPcm16 } from "../../src/audio/pcm.ts";
import { FallingSilent, SILENT_BELOW } from "../../src/voice/streams/falling-silent.ts";
import { startEngines } from "./setup.ts";

export interface SpeechBounds {
  readonly start: number;
  readonly end: number;
  /** When the frame ends in which voice activity begins to let go of it, and the first one that it takes for silence. */
  readonly fadingMs: number;
  readonly silentMs: number;
}

const levelMs = 20;
const frameMs = 32;
/** A level dips for as long as this within a word. */
const dipMs = 60;

/** Where somebody speaks in each recording, in milliseconds: from the first to the last level above a tenth of the loudest, without
 *  the clicks, thumps and breaths that voice activity, looking at the whole recording, takes for something else. */
export async function findSpeechBounds(recordings: readonly Uint8Array[]): Promise<SpeechBounds[]> {
  const engines = startEngines();
  const signal = new AbortController().signal;
  const found: SpeechBounds[] = [];
  for (const pcm of recordings) {
    const samples = fromPcm16(pcm);
    const turn = { key: "bench", flow: "bounds" };
    const { probabilities } = await engines.activity.detect({ samples, state: undefined, ...turn }, signal);
    found.push(boundsOf(samples, probabilities));
  }
  await engines.close();
  return found;
}

function boundsOf(samples: Float32Array, probabilities: Float32Array): SpeechBounds {
  const isSpeech = Array.from(probabilities, (probability) => probability >= 0.5);
  const first = isSpeech.findIndex((_, frame) => isSpeech.slice(frame, frame + 5).every(Boolean)) * frameMs;
  const last =
    (isSpeech.findLastIndex((_, frame) => isSpeech.slice(Math.max(0, frame - 4), frame + 1).every(Boolean)) + 1) *
    frameMs;
  const levels = levelsOf(samples);
  const loud = Math.max(...levels) / 10;
  const isLoud = (ms: number) => levels[Math.floor(ms / levelMs)]! > loud;
  let start = first;
  // Voice activity needs a moment to believe in a word: the word began where its level did.
  for (let ms = first; ms >= 0 && start - ms <= dipMs; ms -= levelMs) if (isLoud(ms)) start = ms;
  let end = Math.min(last, levels.length * levelMs - levelMs);
  while (end > start && !isLoud(end)) end -= levelMs;
  const silent = probabilities.findIndex((probability, frame) => frame * frameMs >= last && probability < SILENT_BELOW);
  const silentMs = ((silent < 0 ? probabilities.length : silent) + 1) * frameMs;
  const fallingSilent = new FallingSilent();
  let fadingMs = silentMs;
  let wasFading = false;
  for (const [frame, probability] of probabilities.subarray(0, Math.max(0, silent + 1)).entries()) {
    const isFading = fallingSilent.update(probability);
    if (isFading && !wasFading) fadingMs = (frame + 1) * frameMs;
    wasFading = isFading;
  }
  return {
    start: Math.floor(start / levelMs) * levelMs,
    end: (Math.floor(end / levelMs) + 1) * levelMs,
    fadingMs,
    silentMs,
  };
}

function levelsOf(samples: Float32Array): number[] {
  const size = (levelMs * 16_000) / 1000;
  return Array.from({ length: Math.floor(samples.length / size) }, (_, index) => {
    const part = samples.subarray(index * size, (index + 1) * size);
    return Math.sqrt(part.reduce((sum, value) => sum + value ** 2, 0) / size);
  });
}
