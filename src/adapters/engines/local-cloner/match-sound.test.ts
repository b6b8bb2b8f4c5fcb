import { describe, expect, it } from "vitest";
import { HUM_RATE_HZ, hum } from "../../../../tests/support/hum.ts";
import { fromSemitones, summarizePitch, toSemitones, trackPitch } from "../../../audio/pitch.ts";
import { matchSound, measureSound } from "./match-sound.ts";

const at = (hertz: number, seconds = 1.5) => hum(seconds, () => hertz);
/** As far as voices move, so that the melody is left as it is. */
const rangeSemitones = 8;
const own = { ...measureSound(at(120), HUM_RATE_HZ)!, rangeSemitones };
const wanted = { ...measureSound(at(150), HUM_RATE_HZ)!, rangeSemitones };
const heightOf = (samples: Float32Array) => summarizePitch(trackPitch(samples, HUM_RATE_HZ))!.medianHz;
/** How many semitones above the wanted voice a line ends up. */
const above = (samples: Float32Array) => toSemitones(heightOf(samples) / 150);

describe("a voice that is matched", () => {
  it("lies where the wanted one does", () => {
    expect(Math.abs(above(matchSound(at(120), HUM_RATE_HZ, { own, wanted })))).toBeLessThan(0.25);
  });

  it("is moved by what it was off when it was tried out", () => {
    const moved = matchSound(at(120), HUM_RATE_HZ, { own, wanted, correctionSemitones: -1 });
    expect(Math.abs(above(moved) + 1)).toBeLessThan(0.25);
  });

  it("keeps half of what a line lies higher than others, and all of what is only a part of one", () => {
    const high = at(120 * fromSemitones(2));
    expect(Math.abs(above(matchSound(high, HUM_RATE_HZ, { own, wanted })) - 1)).toBeLessThan(0.3);
    expect(Math.abs(above(matchSound(high, HUM_RATE_HZ, { own, wanted }, false)) - 2)).toBeLessThan(0.3);
    const short = at(120 * fromSemitones(2), 0.3);
    expect(Math.abs(above(matchSound(short, HUM_RATE_HZ, { own, wanted })) - 2)).toBeLessThan(0.4);
  });
});
