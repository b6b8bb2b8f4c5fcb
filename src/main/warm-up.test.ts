import { expect, it } from "vitest";
import { silentLog } from "../platform/log.ts";
import type { SpeechEngine } from "../ports/speech-engine.ts";
import { warmUp } from "./warm-up.ts";

function listening(isHere = true) {
  const asked: string[] = [];
  const voices = [
    { id: "first", label: "First" },
    { id: "second", label: "Second" },
  ];
  const engine: SpeechEngine = {
    languages: () => (isHere ? [{ code: "en-us", label: "English", engine: "engine_a", voices }] : []),
    sampleRateHz: () => 24000,
    async *speak({ voice }) {
      asked.push(voice);
      yield { samples: new Float32Array(2400).fill(0.1), sampleRateHz: 24000 };
    },
  };
  return { engine, asked };
}

const soon = () => new Promise((resolve) => setTimeout(resolve, 700));

it("the default voice speaks once after the start, unless memory is short, its model is not here, or the server stops", async () => {
  const [plenty, short, missing, stopped] = [listening(), listening(), listening(false), listening()];
  warmUp(plenty.engine, silentLog, () => 8e9);
  warmUp(short.engine, silentLog, () => 1e9);
  warmUp(missing.engine, silentLog, () => 8e9);
  warmUp(stopped.engine, silentLog, () => 8e9).stop();
  await soon();
  expect([plenty, short, missing, stopped].map(({ asked }) => asked)).toEqual([["first"], [], [], []]);
});
