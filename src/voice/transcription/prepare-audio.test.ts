import { describe, expect, it } from "vitest";
import { FRAME_SAMPLES } from "../../ports/voice-activity.ts";
import { createLeveller } from "./prepare-audio.ts";

const frames = (count: number, level: number) => new Float32Array(count * FRAME_SAMPLES).fill(level);
const lastOf = (samples: Float32Array) => samples.at(-1)!;

describe("levelling what voice activity listens to", () => {
  it("leaves speech of ordinary loudness as it is", () => {
    const samples = frames(10, 0.1);
    expect(createLeveller()(samples)).toEqual(samples);
  });

  it("makes a faint recording louder from its first frame on", () => {
    const [first] = createLeveller()(frames(300, 0.001));
    expect(first).toBeGreaterThan(0.005);
  });

  it("makes a faint voice in a live stream louder within seconds of a loud one", () => {
    const level = createLeveller();
    level(frames(10, 0.5));
    let heard = 0;
    for (let frame = 0; frame < 600; frame++) heard = lastOf(level(frames(1, 0.0005)));
    expect(heard).toBeGreaterThan(0.01);
  });

  it("does not raise the pauses within speech, before it or after it", () => {
    const level = createLeveller();
    const pause = 0.0001;
    const samples = new Float32Array([...frames(10, pause), ...frames(10, 0.1), ...frames(10, pause)]);
    expect(level(samples)).toEqual(samples);
    expect(lastOf(level(frames(1, pause)))).toBeCloseTo(pause, 6);
  });

  it("turns silence into silence", () => {
    expect(createLeveller()(frames(500, 0)).every((value) => value === 0)).toBe(true);
    expect(createLeveller()(new Float32Array(0))).toEqual(new Float32Array(0));
  });
});
