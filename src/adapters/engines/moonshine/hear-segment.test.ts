import { describe, expect, it } from "vitest";
import { hearSegment } from "./hear-segment.ts";
import type { Decoded, MoonshineModel } from "./model.ts";

/** Answers nothing, and `forced` when it must say something. */
function silentModel(forced: Partial<Decoded>): MoonshineModel {
  const answer = { text: "", logProbability: -0.1, tokens: 5, isLoop: false, isCutOff: false, silence: 0.7 };
  const model: Pick<MoonshineModel, "encode" | "decode"> = {
    encode: async () => ({}),
    decode: async (_, { mustSpeak }) => (mustSpeak ? { ...answer, ...forced } : answer),
  };
  return model as MoonshineModel;
}

async function hear(forced: Partial<Decoded>, speechSeconds = 1): Promise<string> {
  const segment = { samples: new Float32Array(16_000), speechSeconds, isUrgent: false };
  return (await hearSegment(silentModel(forced), "en", segment, new AbortController().signal)).text;
}

describe("an empty answer to something that is certainly speech", () => {
  it("is replaced by a sentence that the model only half took for silence", async () => {
    expect(await hear({ text: "I'm going to cough.", logProbability: -0.45, silence: 0.78 })).toBe(
      "I'm going to cough.",
    );
  });

  it("stays empty when the model is certain of the silence and not of the words", async () => {
    expect(await hear({ text: "Okay, um, hi.", logProbability: -0.6, silence: 0.98 })).toBe("");
  });

  it("stays empty when all it could say is a word, as it does of noise, or nonsense", async () => {
    expect(await hear({ text: "You", logProbability: -0.04, silence: 0.6 })).toBe("");
    expect(await hear({ text: "Stick to birds.", logProbability: -1.1, silence: 0.6 })).toBe("");
  });

  it("stays empty when too little of it is speech", async () => {
    expect(await hear({ text: "All is well.", logProbability: -0.1, silence: 0.6 }, 0.3)).toBe("");
  });
});
