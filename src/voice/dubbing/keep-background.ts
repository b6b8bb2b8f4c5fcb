import { createLimiter } from "../../audio/limit.ts";
import { measureLoudness } from "../../audio/loudness.ts";
import { decibelsToFactor, joinSamples } from "../../audio/pcm.ts";
import { resample } from "../../audio/resample.ts";
import { HEARING_RATE_HZ } from "../../ports/voice-activity.ts";

interface Stretch {
  readonly startMs: number;
  readonly endMs: number;
}

/** Around speech this much may still be voice. */
const MARGIN_MS = 250;
/** Shorter pieces of background cannot be repeated without being noticed as such. */
const SHORTEST_MS = 400;
const FADE_MS = 60;
/** How far under the voice the background lies, beside where it was in the source. */
const UNDER_DECIBELS = -6;
const VOICE_LUFS = -18;
const CEILING_DB = -1;

/** Lays what is heard between the words of the source under the dub. Beneath the words themselves it is continued from what is beside
 *  them, because voice and background cannot be told apart there; nothing of the old voice remains. Where the source has no moment
 *  without speech, the dub stays as it is. */
export function keepBackground(
  dub: Float32Array,
  sampleRateHz: number,
  source: Float32Array,
  speech: readonly Stretch[],
): Float32Array {
  const pieces = findPieces(source, speech);
  if (pieces.length === 0) return dub;
  const spoken = joinSamples(speech.map(({ startMs, endMs }) => source.subarray(toSamples(startMs), toSamples(endMs))));
  const loudness = measureLoudness(spoken, HEARING_RATE_HZ);
  const gain = decibelsToFactor(UNDER_DECIBELS + (Number.isFinite(loudness) ? Math.min(18, VOICE_LUFS - loudness) : 0));
  const length = Math.ceil((dub.length * HEARING_RATE_HZ) / sampleRateHz);
  const bed = resample(continueThrough(pieces, length), HEARING_RATE_HZ, sampleRateHz);
  const mixed = dub.map((value, i) => value + gain * (bed[i] ?? 0));
  const limiter = createLimiter(sampleRateHz, CEILING_DB);
  return joinSamples([limiter.process(mixed), limiter.flush()]);
}

/** Moments without speech, with where they begin. */
function findPieces(source: Float32Array, speech: readonly Stretch[]): { at: number; samples: Float32Array }[] {
  const pieces: { at: number; samples: Float32Array }[] = [];
  let from = 0;
  const totalMs = (source.length * 1000) / HEARING_RATE_HZ;
  for (const { startMs, endMs } of [...speech, { startMs: totalMs + MARGIN_MS, endMs: totalMs }]) {
    const to = startMs - MARGIN_MS;
    if (to - from >= SHORTEST_MS) {
      pieces.push({ at: toSamples(from), samples: source.subarray(toSamples(from), toSamples(to)) });
    }
    from = Math.max(from, endMs + MARGIN_MS);
  }
  return pieces;
}

/** Each piece where it was, and from its end to the next one the same piece again and again, with soft seams. */
function continueThrough(pieces: readonly { at: number; samples: Float32Array }[], length: number): Float32Array {
  const bed = new Float32Array(length);
  const fade = toSamples(FADE_MS);
  let at = 0;
  for (let index = 0; at < length; ) {
    while (pieces[index + 1] && pieces[index + 1]!.at <= at) index += 1;
    const { at: home, samples } = pieces[index]!;
    // A piece that is not over yet goes on from where it is.
    const skip = at > home && at < home + samples.length - 2 * fade ? at - home : 0;
    const piece = samples.subarray(skip);
    const until = Math.min(length, pieces[index + 1]?.at ?? length);
    const count = Math.min(piece.length, Math.max(until - at + fade, 2 * fade), length - at);
    for (let i = 0; i < count; i++) {
      const edge = Math.min(1, at === 0 ? 1 : i / fade, (count - i) / fade);
      bed[at + i]! += edge * piece[i]!;
    }
    at += Math.max(1, count - fade);
  }
  return bed;
}

function toSamples(ms: number): number {
  return Math.round((ms * HEARING_RATE_HZ) / 1000);
}
