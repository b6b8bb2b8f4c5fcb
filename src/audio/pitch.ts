import { createResampler } from "./resample.ts";

/** The melody of a voice: one number for every 10 ms, 0 where nothing hums. */
export interface PitchTrack {
  readonly hopSeconds: number;
  readonly hertz: Float32Array;
}

export interface PitchSummary {
  readonly medianHz: number;
  /** How far the melody moves: the distance between its 10th and 90th percentile. */
  readonly rangeSemitones: number;
  /** Part of the clip that hums. */
  readonly voicedShare: number;
}

const RATE_HZ = 8000;
const HOP = 80;
const WINDOW = 240;
const LOWEST_HZ = 60;
const HIGHEST_HZ = 500;
const SHORTEST_LAG = Math.floor(RATE_HZ / HIGHEST_HZ);
const LONGEST_LAG = Math.ceil(RATE_HZ / LOWEST_HZ);
/** How alike two periods must be to count as a voice. */
const VOICED_FROM = 0.5;
/** A period twice as long is always as alike: shorter ones get this much ahead. */
const SHORTER_IS_BETTER = 0.06;
/** What a jump by an octave costs between neighbours, and beginning or ending to hum. */
const JUMP_COST = 0.6;
const TURN_COST = 0.12;
const MOST_CANDIDATES = 6;
const FARTHEST_SEMITONES = 9;
/** 60 dB under full scale: nothing is sung so softly. */
const SILENCE = 1e-6;

interface Candidate {
  readonly hertz: number;
  readonly score: number;
}

/** Follows the pitch of one voice by comparing each moment with what came a period later, and choosing the smoothest path. */
export function trackPitch(samples: Float32Array, sampleRateHz: number): PitchTrack {
  const resampler = createResampler(sampleRateHz, RATE_HZ, { zeroCrossings: 8, kaiserBeta: 6, rolloff: 0.9 });
  const body = resampler.process(samples);
  const low = new Float32Array(body.length + WINDOW + LONGEST_LAG);
  low.set(body);
  const frames = Math.floor(body.length / HOP);
  const candidates = Array.from({ length: frames }, (_, frame) => findCandidates(low, frame * HOP));
  return { hopSeconds: HOP / RATE_HZ, hertz: choosePath(candidates) };
}

export function summarizePitch({ hertz }: PitchTrack): PitchSummary | undefined {
  const voiced = hertz.filter((value) => value > 0).sort();
  if (voiced.length < 10) return undefined;
  const medianHz = voiced[voiced.length >> 1]!;
  // A creak or a hiss that was taken for a hum lies an octave and more away, and would stretch the range beyond any voice's.
  const sung = voiced.filter((value) => Math.abs(toSemitones(value / medianHz)) <= FARTHEST_SEMITONES);
  const at = (part: number) => sung[Math.floor(part * (sung.length - 1))]!;
  return {
    medianHz,
    rangeSemitones: toSemitones(at(0.9) / at(0.1)),
    voicedShare: voiced.length / hertz.length,
  };
}

export function toSemitones(ratio: number): number {
  return 12 * Math.log2(ratio);
}

export function fromSemitones(semitones: number): number {
  return 2 ** (semitones / 12);
}

function findCandidates(low: Float32Array, start: number): Candidate[] {
  let energy = 0;
  for (let i = 0; i < WINDOW; i++) energy += low[start + i]! ** 2;
  if (energy / WINDOW < SILENCE) return [];
  const likeness = new Float64Array(LONGEST_LAG + 2);
  for (let lag = SHORTEST_LAG - 1; lag <= LONGEST_LAG + 1; lag++) {
    let product = 0;
    let shifted = 0;
    for (let i = 0; i < WINDOW; i++) {
      const later = low[start + i + lag] ?? 0;
      product += low[start + i]! * later;
      shifted += later * later;
    }
    likeness[lag] = product / Math.sqrt(energy * shifted + 1e-12);
  }
  const found: Candidate[] = [];
  for (let lag = SHORTEST_LAG; lag <= LONGEST_LAG; lag++) {
    const [before, here, after] = [likeness[lag - 1]!, likeness[lag]!, likeness[lag + 1]!];
    if (here < VOICED_FROM || here < before || here <= after) continue;
    const curve = before - 2 * here + after;
    const exact = curve < 0 ? lag + (0.5 * (before - after)) / curve : lag;
    found.push({ hertz: RATE_HZ / exact, score: here - SHORTER_IS_BETTER * Math.log2(lag / SHORTEST_LAG) });
  }
  return found.sort((a, b) => b.score - a.score).slice(0, MOST_CANDIDATES);
}

/** The best path through the candidates (Viterbi); not to hum is always one of them. */
function choosePath(candidates: readonly (readonly Candidate[])[]): Float32Array {
  const silent: Candidate = { hertz: 0, score: VOICED_FROM - SHORTER_IS_BETTER };
  const columns = candidates.map((column) => [silent, ...column]);
  const origins: Uint8Array[] = [];
  let totals: number[] = [];
  for (const [t, column] of columns.entries()) {
    const before = columns[t - 1];
    const origin = new Uint8Array(column.length);
    totals = column.map((candidate, index) => {
      if (!before) return candidate.score;
      let best = Number.NEGATIVE_INFINITY;
      for (const [k, previous] of before.entries()) {
        const total = totals[k]! - moveCost(previous.hertz, candidate.hertz);
        if (total > best) {
          best = total;
          origin[index] = k;
        }
      }
      return best + candidate.score;
    });
    origins.push(origin);
  }
  const hertz = new Float32Array(columns.length);
  let at = totals.reduce((best, total, index) => (total > totals[best]! ? index : best), 0);
  for (let t = columns.length - 1; t >= 0; t--) {
    hertz[t] = columns[t]![at]!.hertz;
    at = origins[t]![at]!;
  }
  return hertz;
}

function moveCost(from: number, to: number): number {
  if (from === 0 && to === 0) return 0;
  if (from === 0 || to === 0) return TURN_COST;
  return JUMP_COST * Math.abs(Math.log2(to / from));
}
