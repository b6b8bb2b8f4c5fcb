import { describe, expect, it } from "vitest";
import { newStream, nextStreamState, type Seen, type StreamEvent, type StreamState } from "./stream-state.ts";

const nothing: Seen = { hasBegun: false, hasContent: false, isFinished: false, isCut: false };
const role: Seen = { ...nothing, hasBegun: true };
const words: Seen = { ...role, hasContent: true };
const done: Seen = { ...words, isFinished: true };
const failed: Seen = { ...role, isCut: true };

const chunk: StreamEvent = { type: "chunk", bytes: 100 };
const [ended, broke, quiet, hungUp] = (["ended", "broke", "quiet", "hung-up"] as const).map((type) => ({ type }));

/** The actions of every step. */
function walk(...steps: [StreamEvent, Seen][]): (readonly string[])[] {
  let state: StreamState = newStream;
  return steps.map(([event, seen]) => {
    const step = nextStreamState(state, event, seen);
    state = step.state;
    return step.actions;
  });
}

describe("a stream", () => {
  it("begins with the model's first word, and what came before it", () => {
    expect(walk([chunk, role], [chunk, words], [chunk, words], [ended!, done])).toEqual([
      ["keep"],
      ["start", "pass"],
      ["pass"],
      ["settle-whole", "pass", "finish", "drain"],
    ]);
  });

  it("begins without a word when its beginning is longer than any", () => {
    expect(walk([{ type: "chunk", bytes: 70_000 }, role])).toEqual([["start", "pass"]]);
  });

  it("with nothing in it is left to the next upstream, also after comments that kept the caller awake", () => {
    for (const last of [ended!, broke!]) {
      expect(walk([chunk, role], [quiet!, role], [last, role])).toEqual([["keep"], ["ping"], ["cancel", "refuse"]]);
    }
    expect(walk([chunk, failed])).toEqual([["cancel", "refuse"]]);
  });

  it("that breaks off after a word is charged for its part, and its caller learns it", () => {
    expect(walk([chunk, words], [broke!, words])).toEqual([
      ["start", "pass"],
      ["settle-part", "finish-broken", "cancel"],
    ]);
    expect(walk([chunk, words], [ended!, words])[1]).toEqual(["settle-part", "pass", "finish-broken", "cancel"]);
    expect(walk([chunk, words], [ended!, { ...done, isCut: true }])[1]).toContain("finish-broken");
  });

  it("is cancelled when its caller hangs up, and charged when anything had come", () => {
    expect(walk([hungUp!, nothing])).toEqual([["abandon", "cancel", "settle-unheard"]]);
    expect(walk([chunk, words], [hungUp!, words])[1]).toEqual(["abandon", "cancel", "settle-part"]);
  });

  it("does nothing more once it is over", () => {
    for (const last of [ended!, broke!, hungUp!]) {
      const after = walk([chunk, words], [last, done], [chunk, done], [ended!, done], [broke!, done], [hungUp!, done]);
      expect(after.slice(2)).toEqual([[], [], [], []]);
    }
  });
});
