import { joinSamples } from "../../audio/pcm.ts";
import { summarizePitch, trackPitch } from "../../audio/pitch.ts";
import type { DiarisationEngine } from "../../ports/diarisation-engine.ts";
import { HEARING_RATE_HZ } from "../../ports/voice-activity.ts";
import type { VoicePrinter } from "../../ports/voice-printer.ts";
import { assignLines } from "../speakers/assign-lines.ts";
import { groupVoices } from "../speakers/group-voices.ts";
import type { SourceLine } from "./split-lines.ts";

/** Somebody who speaks in a recording. */
export interface Speaker {
  readonly samples: Float32Array;
  /** Undefined when their voice hums too little to tell. */
  readonly medianHz: number | undefined;
}

export interface ToldSpeakers {
  readonly speakers: readonly Speaker[];
  /** For each line, whose it is. */
  readonly speakerOf: readonly number[];
}

/** Less than this says too little about a voice; such a line is taken for the speaker of the line before. */
const SHORTEST_MS = 1200;
/** More is not needed to know somebody. */
const LONGEST_MS = 12_000;
/** How much of a speaker is kept to be cloned from. */
const MOST_SAMPLES = 30 * HEARING_RATE_HZ;

export interface TellingParts {
  readonly printer?: VoicePrinter | undefined;
  /** Where it is there, it is asked alone. */
  readonly diarisation?: DiarisationEngine | undefined;
}

/** Who speaks which line. Without a printer everybody is one. */
export async function tellSpeakers(
  lines: readonly SourceLine[],
  recording: Float32Array,
  { printer, diarisation }: TellingParts,
  turn: { key: string; flow: string },
  signal: AbortSignal,
): Promise<ToldSpeakers> {
  const cuts = lines.map((line) => recording.subarray(toSamples(line.startMs), toSamples(line.endMs)));
  const long = lines.flatMap((line, index) => (line.endMs - line.startMs >= SHORTEST_MS ? [index] : []));
  let speakerOf: number[] = lines.map(() => 0);
  if (diarisation) {
    speakerOf = assignLines(lines, await diarisation.diarise({ samples: recording, ...turn }, signal));
  } else if (printer && printer.missing() === undefined && long.length > 1) {
    const prints = [];
    for (const index of long) {
      const samples = cuts[index]!.slice(0, toSamples(LONGEST_MS));
      const print = await printer.print({ samples, ...turn }, signal);
      prints.push({ print, seconds: samples.length / HEARING_RATE_HZ, medianHz: pitchOf(samples) });
    }
    const groups = groupVoices(prints);
    for (const [at, index] of long.entries()) speakerOf[index] = groups[at]!;
    for (const index of lines.keys()) if (!long.includes(index)) speakerOf[index] = speakerOf[index - 1] ?? 0;
  }
  const count = Math.max(...speakerOf) + 1;
  const speakers = Array.from({ length: count }, (_, speaker) => {
    const own = joinSamples(cuts.filter((_, index) => speakerOf[index] === speaker)).slice(0, MOST_SAMPLES);
    return { samples: own, medianHz: pitchOf(own) };
  });
  return { speakers, speakerOf };
}

function pitchOf(samples: Float32Array): number | undefined {
  return summarizePitch(trackPitch(samples, HEARING_RATE_HZ))?.medianHz;
}

function toSamples(ms: number): number {
  return Math.round((ms * HEARING_RATE_HZ) / 1000);
}
