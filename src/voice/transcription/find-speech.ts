import {
  type ActivityState,
  FRAME_SAMPLES,
  HEARING_RATE_HZ,
  type VoiceActivityDetector,
} from "../../ports/voice-activity.ts";
import { type SpeechCut, SpeechCutter } from "./cut-speech.ts";
import { createLeveller, createOffsetRemover } from "./prepare-audio.ts";

/** Small enough that a live stream's frame never waits long behind a file. */
const stretchSamples = 160 * FRAME_SAMPLES;

export interface Turn {
  readonly key: string;
  readonly flow: string;
}

export interface FoundSpeech {
  readonly cuts: AsyncGenerator<SpeechCut>;
  /** Length of the recording so far; all of it when `cuts` has ended. */
  durationMs(): number;
}

/** The speech of a recording, in order, while the recording is still being read. */
export function findSpeech(
  audio: AsyncIterable<Int16Array>,
  detector: VoiceActivityDetector,
  turn: Turn,
  signal: AbortSignal,
): FoundSpeech {
  let total = 0;
  return { cuts: cut(), durationMs: () => Math.round((total * 1000) / HEARING_RATE_HZ) };

  async function* cut(): AsyncGenerator<SpeechCut> {
    const cutter = new SpeechCutter();
    const removeOffset = createOffsetRemover();
    const level = createLeveller();
    let state: ActivityState | undefined;
    for await (const stretch of inStretches(audio)) {
      total += stretch.length;
      const samples = removeOffset(stretch);
      const activity = await detector.detect({ samples: level(samples), state, ...turn }, signal);
      state = activity.state;
      yield* cutter.push(samples, activity.probabilities);
    }
    yield* cutter.finish();
  }
}

/** The same samples in whole frames, some five seconds at a time; only the last stretch may end within a frame. */
async function* inStretches(audio: AsyncIterable<Int16Array>): AsyncGenerator<Int16Array> {
  let rest: Int16Array = new Int16Array(0);
  for await (const chunk of audio) {
    const joined = new Int16Array(rest.length + chunk.length);
    joined.set(rest);
    joined.set(chunk, rest.length);
    let start = 0;
    for (; start + stretchSamples <= joined.length; start += stretchSamples) {
      yield joined.subarray(start, start + stretchSamples);
    }
    rest = joined.subarray(start);
  }
  if (rest.length > 0) yield rest;
}
