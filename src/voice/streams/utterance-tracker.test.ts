import { describe, expect, it } from "vitest";
import { FRAME_SAMPLES } from "../../ports/voice-activity.ts";
import { type UtteranceEvent, UtteranceTracker } from "./utterance-tracker.ts";

const frame = new Float32Array(FRAME_SAMPLES).fill(0.1);

/** One mark per frame of 32 ms: x is speech, anything else silence. */
function follow(marks: string): { events: UtteranceEvent[]; tracker: UtteranceTracker } {
  const tracker = new UtteranceTracker();
  const events = [...marks].flatMap((mark) => tracker.push(frame, mark === "x" ? 0.9 : 0.05));
  return { events, tracker };
}
const quiet = (frames: number) => ".".repeat(frames);
const speech = (frames: number) => "x".repeat(frames);

describe("following a live stream", () => {
  it("ends an utterance after a third of a second of silence", () => {
    const { events } = follow(quiet(30) + speech(30) + quiet(20));
    expect(events.map(({ type }) => type)).toEqual(["noticed", "started", "paused", "ended"]);
    const ended = events.at(-1)!;
    if (ended.type !== "ended") throw new Error("not ended");
    expect(ended.utterance.number).toBe(1);
    expect(ended.utterance.startMs).toBeLessThanOrEqual(30 * 32);
    expect(ended.utterance.startMs).toBeGreaterThanOrEqual(19 * 32);
    expect(ended.utterance.endMs).toBe(60 * 32);
    expect(ended.utterance.speechMs).toBe(30 * 32);
  });

  it("goes on when the speaker only took a breath", () => {
    const { events } = follow(speech(20) + quiet(7) + speech(20) + quiet(20));
    expect(events.map(({ type }) => type)).toEqual(["noticed", "started", "paused", "resumed", "paused", "ended"]);
  });

  it("notices a click and loses it, and then no other for a second", () => {
    const types = (marks: string) => follow(marks).events.map(({ type }) => type);
    expect(types(quiet(10) + speech(2) + quiet(40))).toEqual(["noticed", "lost"]);
    expect(types(`${speech(2) + quiet(5)}x${quiet(5)}`)).toEqual(["noticed", "lost"]);
    expect(types(speech(2) + quiet(5) + speech(3))).toEqual(["noticed", "lost", "started"]);
    expect(types(`${speech(2) + quiet(40)}x`)).toEqual(["noticed", "lost", "noticed"]);
  });

  it("counts utterances", () => {
    const { events } = follow((speech(20) + quiet(20)).repeat(3));
    const numbers = events.flatMap((event) => (event.type === "ended" ? [event.utterance.number] : []));
    expect(numbers).toEqual([1, 2, 3]);
  });

  it("cuts speech without a pause, and loses nothing of it", () => {
    const { events, tracker } = follow(speech(1500));
    const ended = events.flatMap((event) => (event.type === "ended" ? [event.utterance] : []));
    for (const { samples } of ended) expect(samples.length).toBeLessThanOrEqual(15.1 * 16_000);
    const rest = tracker.finish()!;
    const total = [...ended, rest].reduce((sum, { samples }) => sum + samples.length, 0);
    expect(total).toBe(1500 * FRAME_SAMPLES);
  });

  it("ends where it is when told to", () => {
    const { tracker } = follow(quiet(20) + speech(20));
    expect(tracker.finish()?.speechMs).toBe(640);
    expect(tracker.finish()).toBeUndefined();
  });

  it("begins the next utterance with nothing of the one that was ended early", () => {
    const { tracker } = follow(speech(20));
    tracker.finish();
    for (let i = 0; i < 5; i++) tracker.push(new Float32Array(FRAME_SAMPLES), 0.9);
    expect(tracker.snapshot()?.samples.length).toBe(5 * FRAME_SAMPLES);
  });
});
