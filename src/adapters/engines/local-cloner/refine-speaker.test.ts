import { expect, it } from "vitest";
import { likeness } from "../../../ports/voice-printer.ts";
import { refineSpeaker } from "./refine-speaker.ts";

const unit = (values: number[]) => {
  const length = Math.hypot(...values);
  return Float32Array.from(values, (value) => value / length);
};
const identity = (print: ArrayLike<number>) => Float32Array.from(print);

it("a voice that lacks something gets more of it", async () => {
  const whole = unit([1, 1, 0.2]);
  // Whatever is asked for, only half of the second number arrives.
  const listen = async (speaker: Float32Array) => unit([speaker[0]!, speaker[1]! / 2, speaker[2]!]);
  const refined = await refineSpeaker({ whole, halves: [whole, whole], rounds: 4, toSpeaker: identity, listen });
  expect(likeness(whole, await listen(refined))).toBeGreaterThan(likeness(whole, await listen(whole)) + 0.01);
});

it("what only one half of the clip has is not followed", async () => {
  const halves = [unit([1, 0.8, 0]), unit([1, -0.8, 0])] as const;
  const whole = unit([1, 0, 0]);
  const listen = async (speaker: Float32Array) => unit([...speaker]);
  const refined = await refineSpeaker({ whole, halves, rounds: 4, toSpeaker: identity, listen });
  expect([...refined]).toEqual([...whole]);
});

it("without rounds nobody has to listen", async () => {
  const whole = unit([1, 2, 3]);
  const listen = () => Promise.reject(new Error("nobody asked"));
  expect(await refineSpeaker({ whole, halves: [whole, whole], rounds: 0, toSpeaker: identity, listen })).toEqual(whole);
});
