import { FRAME_SAMPLES } from "../../ports/voice-activity.ts";

/** Below this an offset is not worth touching the recording for: the recogniser hears the smallest changes. */
const smallestOffset = 1e-4;

/** 16-bit samples of a recording as floats without their constant offset, which would blind voice activity. Judges by all that
 *  went by, so the first chunk had better be some seconds long. */
export function createOffsetRemover(): (samples: Int16Array) => Float32Array {
  let sum = 0;
  let count = 0;
  return (samples) => {
    const floats = Float32Array.from(samples, (sample) => sample / 32768);
    for (const value of floats) sum += value;
    count += floats.length;
    const offset = count > 0 ? sum / count : 0;
    return Math.abs(offset) > smallestOffset ? floats.map((value) => value - offset) : floats;
  };
}

/** The same for a live stream, of which little is known at first: a high-pass filter far below speech, at 1.3 Hz. */
export function createOffsetFilter(): (samples: Int16Array) => Float32Array {
  let before = 0;
  let filtered = 0;
  let isFirst = true;
  return (samples) => {
    const cleaned = new Float32Array(samples.length);
    for (let i = 0; i < samples.length; i++) {
      const value = samples[i]! / 32768;
      // Starting from the first value, not from zero, spares the stream a thump at its beginning.
      if (isFirst) before = value;
      isFirst = false;
      filtered = value - before + 0.9995 * filtered;
      before = value;
      cleaned[i] = filtered;
    }
    return cleaned;
  };
}

/** -25 dBFS: quieter speech is made this loud. */
const wantedLevel = 0.056;
const mostGain = 300;
/** How a level that was once heard fades, by 2.7 dB a second: pauses within speech must not become loud. */
const fading = 0.99;

/** Makes quiet speech louder for voice activity, and for it alone. A level is remembered for a while, in both directions as far as
 *  what is given at once reaches: neither the breath before speech nor the pauses within it must become loud. Takes whole frames;
 *  only the last may be shorter. */
export function createLeveller(): (samples: Float32Array) => Float32Array {
  let before = 0;
  return (samples) => {
    const levelled = Float32Array.from(samples);
    const frames: Float32Array[] = [];
    for (let start = 0; start < samples.length; start += FRAME_SAMPLES) {
      frames.push(levelled.subarray(start, start + FRAME_SAMPLES));
    }
    const levels = frames.map(levelOf);
    for (let i = levels.length - 2; i >= 0; i--) levels[i] = Math.max(levels[i]!, levels[i + 1]! * fading);
    for (const [index, frame] of frames.entries()) {
      before = Math.max(levels[index]!, before * fading, wantedLevel / mostGain);
      const gain = wantedLevel / before;
      if (gain > 1) for (let i = 0; i < frame.length; i++) frame[i] = Math.max(-1, Math.min(1, frame[i]! * gain));
    }
    return levelled;
  };
}

function levelOf(frame: Float32Array): number {
  let sum = 0;
  for (const value of frame) sum += value ** 2;
  return Math.sqrt(sum / frame.length);
}
