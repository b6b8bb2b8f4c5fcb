import { durationMs, joinSamples } from "../../audio/pcm.ts";
import { stretchTo } from "../../audio/stretch.ts";
import { JOINED_PAUSE_MS, planTiming } from "./plan-timing.ts";
import type { SourceLine } from "./split-lines.ts";

/** A line in its new language. */
export interface DubbedLine extends SourceLine {
  readonly translation: string;
  readonly speaker: number;
  readonly samples: Float32Array;
}

/** What of the source became what of the dub. */
export interface DubSegment {
  readonly sourceStartMs: number;
  readonly sourceEndMs: number;
  readonly startMs: number;
  readonly endMs: number;
  /** How much faster than the voice would have spoken by itself. */
  readonly stretch: number;
  readonly speaker: number;
  readonly sourceText: string;
  readonly text: string;
}

export interface LaidDown {
  readonly samples: Float32Array;
  readonly segments: readonly DubSegment[];
}

/** The pause between two lines is that of the source, within what listeners take for a pause. */
const SHORTEST_PAUSE_MS = 200;
const LONGEST_PAUSE_MS = 900;

/** Lines one after the other, with pauses like those of the source. */
export function layInOrder(lines: readonly DubbedLine[], sampleRateHz: number): LaidDown {
  const parts: Float32Array[] = [];
  const segments: DubSegment[] = [];
  let at = 0;
  for (const [index, line] of lines.entries()) {
    const startMs = durationMs(at, sampleRateHz);
    parts.push(line.samples);
    at += line.samples.length;
    segments.push(describe([line], startMs, durationMs(at, sampleRateHz), 1));
    const next = lines[index + 1];
    if (!next) continue;
    const pauseMs = Math.max(SHORTEST_PAUSE_MS, Math.min(LONGEST_PAUSE_MS, next.startMs - line.endMs));
    const pause = new Float32Array(Math.round((pauseMs * sampleRateHz) / 1000));
    parts.push(pause);
    at += pause.length;
  }
  return { samples: joinSamples(parts), segments };
}

/** Lines where their sources were, in a recording as long as the source. */
export async function layInTime(
  lines: readonly DubbedLine[],
  sampleRateHz: number,
  totalMs: number,
): Promise<LaidDown> {
  const spoken = lines.map((line) => ({ ...line, spokenMs: (line.samples.length * 1000) / sampleRateHz }));
  const plan = planTiming(spoken, totalMs);
  const toSamples = (ms: number) => Math.round((ms * sampleRateHz) / 1000);
  const ends = plan.map(({ startMs, lengthMs }) => toSamples(startMs) + toSamples(lengthMs));
  const samples = new Float32Array(Math.max(toSamples(totalMs), ...ends));
  const segments: DubSegment[] = [];
  const pause = new Float32Array(toSamples(JOINED_PAUSE_MS));
  for (const { lines: own, startMs, lengthMs, stretch } of plan) {
    const group = own.map((index) => lines[index]!);
    const whole = joinSamples(group.flatMap((line, index) => (index > 0 ? [pause, line.samples] : [line.samples])));
    samples.set(await stretchTo(whole, sampleRateHz, toSamples(lengthMs)), toSamples(startMs));
    segments.push(describe(group, startMs, Math.round(startMs + lengthMs), Math.round(stretch * 1000) / 1000));
  }
  return { samples, segments };
}

function describe(group: readonly DubbedLine[], startMs: number, endMs: number, stretch: number): DubSegment {
  return {
    sourceStartMs: group[0]!.startMs,
    sourceEndMs: group.at(-1)!.endMs,
    startMs,
    endMs,
    stretch,
    speaker: group[0]!.speaker,
    sourceText: group.map(({ text }) => text).join(" "),
    text: group.map(({ translation }) => translation).join(" "),
  };
}
