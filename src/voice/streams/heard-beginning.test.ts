import { describe, expect, it } from "vitest";
import { type Heard, UNKNOWN_LANGUAGE } from "../../ports/transcription-engine.ts";
import { FRAME_SAMPLES } from "../../ports/voice-activity.ts";
import { HeardBeginning, isCut } from "./heard-beginning.ts";
import type { Utterance } from "./utterance-tracker.ts";

const frameMs = 32;

/** One mark per frame of 32 ms: x is speech, anything else silence. */
function said(marks: string, number = 1): Utterance {
  const isSpeech = [...marks].map((mark) => mark === "x");
  const endMs = 1000 + marks.length * frameMs;
  const speechMs = isSpeech.filter(Boolean).length * frameMs;
  return { number, startMs: 1000, endMs, samples: new Float32Array(marks.length * FRAME_SAMPLES), isSpeech, speechMs };
}

function heard(text: string, more: Partial<Heard> = {}): Promise<Heard> {
  return Promise.resolve({ text, language: "fr", confidence: 0.8, ...more });
}

/** Words of a text, each of 100 ms. */
function timed(text: string): Partial<Heard> {
  return { words: text.split(" ").map((word, i) => ({ word, startMs: i * 100, endMs: i * 100 + 100 })) };
}

/** 100 frames of speech and 6 of silence were heard; the speaker goes on with the next frame. */
function begin(first: Promise<Heard>): HeardBeginning {
  const beginning = new HeardBeginning(1);
  beginning.add(first, "fr", said(`${"x".repeat(100)}......x`), 6 * frameMs);
  return beginning;
}
const goesOn = `${"x".repeat(100)}......${"x".repeat(50)}`;
/** In the middle of the silence. */
const cut = 104;

describe("the beginning of a long utterance", () => {
  it("ends only at a pause that is long enough, after enough was said", () => {
    expect(isCut({ speechMs: 3000 }, 128)).toBe(true);
    expect(isCut({ speechMs: 2900 }, 128)).toBe(false);
    expect(isCut({ speechMs: 3000 }, 96)).toBe(false);
  });

  it("leaves the rest to be heard, from the middle of the pause", () => {
    const whole = said(goesOn);
    expect(new HeardBeginning(1).restOf(whole)).toBe(whole);
    const rest = begin(heard("Un")).restOf(whole)!;
    expect(rest.samples.length).toBe((goesOn.length - cut) * FRAME_SAMPLES);
    expect(rest.isSpeech.length).toBe(goesOn.length - cut);
    expect(rest.startMs).toBe(1000 + cut * frameMs);
    expect(rest.endMs).toBe(whole.endMs);
    expect(rest.speechMs).toBe(50 * frameMs);
  });

  it("has no rest when only a click follows", () => {
    expect(begin(heard("Un")).restOf(said(`${"x".repeat(100)}......xx...`))).toBeUndefined();
  });

  it("is no part of an utterance that was cut before its end, of another one, or of one in another language", () => {
    const beginning = begin(heard("Un"));
    expect(beginning.isPartOf(said(goesOn), "fr")).toBe(true);
    expect(beginning.isPartOf(said("x".repeat(90)), "fr")).toBe(false);
    expect(beginning.isPartOf(said(goesOn, 2), "fr")).toBe(false);
    expect(beginning.isPartOf(said(goesOn), "de")).toBe(false);
    expect(new HeardBeginning(1).isPartOf(said(goesOn), "fr")).toBe(true);
  });

  it("fails quietly when nobody asks for it any more", async () => {
    let give = (_: Heard) => {};
    const beginning = begin(
      new Promise((resolve) => {
        give = resolve;
      }),
    );
    const joined = beginning.join(Promise.reject(new Error("the speaker went on")));
    await new Promise((resolve) => setImmediate(resolve));
    give(await heard("Un"));
    await expect(joined).rejects.toThrow("went on");
  });

  it("is joined with the rest in the order of speech, however long each took", async () => {
    let give = (_: Heard) => {};
    const beginning = begin(
      new Promise((resolve) => {
        give = resolve;
      }),
    );
    beginning.add(heard("deux"), "fr", said(`${goesOn}......x`), 6 * frameMs);
    const joined = beginning.join(heard("trois.", { confidence: 0.2 }));
    give(await heard("Un"));
    expect(await joined).toEqual({ text: "Un deux trois.", language: "fr", confidence: 0.523 });
    expect(beginning.text).toBe("Un deux");
  });

  it("gives words the times that they have in the utterance", async () => {
    const beginning = begin(heard("Un deux", timed("Un deux")));
    const joined = await beginning.join(heard("trois", timed("trois")));
    expect(joined!.words).toEqual([
      { word: "Un", startMs: 0, endMs: 100 },
      { word: "deux", startMs: 100, endMs: 200 },
      { word: "trois", startMs: cut * frameMs, endMs: cut * frameMs + 100 },
    ]);
  });

  it("leaves the times to others where one part has none", async () => {
    const joined = await begin(heard("Un", timed("Un"))).join(heard("deux"));
    expect(joined!.words).toBeUndefined();
  });

  it("is no sentence of its own when the speaker goes on in the middle of one", async () => {
    const joined = await begin(heard("Un deux.", timed("Un deux."))).join(heard("trois.", timed("trois.")));
    expect(joined!.text).toBe("Un deux trois.");
    expect(joined!.words!.map(({ word }) => word)).toEqual(["Un", "deux", "trois."]);
    const others = ["Un... deux.", "Un deux? Trois.", "Un deux. Trois."];
    const parts = [
      ["Un...", "deux."],
      ["Un deux?", "Trois."],
      ["Un deux.", "Trois."],
    ] as const;
    for (const [i, [one, other]] of parts.entries()) {
      expect((await begin(heard(one)).join(heard(other)))!.text).toBe(others[i]);
    }
  });

  it("is everything when nothing follows, or nothing that is understood", async () => {
    expect((await begin(heard("Un deux.")).join(undefined))!.text).toBe("Un deux.");
    expect((await begin(heard("Un deux.")).join(heard("")))!.text).toBe("Un deux.");
  });

  it.each([
    ["was lost", () => Promise.reject(new Error("died"))],
    ["was not understood", () => heard("")],
    ["is in no known language", () => heard("", { language: UNKNOWN_LANGUAGE })],
  ])("is no part of an answer when it %s", async (_, hear) => {
    const beginning = begin(hear());
    expect(await beginning.join(heard("trois"))).toBeUndefined();
    expect(beginning.text).toBe("");
  });

  it("tells the language of what follows", async () => {
    expect(await begin(heard("Un")).language()).toBe("fr");
    expect(await begin(heard("", { language: UNKNOWN_LANGUAGE })).language()).toBeUndefined();
    expect(await begin(Promise.reject(new Error("died"))).language()).toBeUndefined();
  });

  it("fails with the rest", async () => {
    await expect(begin(heard("Un")).join(Promise.reject(new Error("died")))).rejects.toThrow("died");
  });
});
