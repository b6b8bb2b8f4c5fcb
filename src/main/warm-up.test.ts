import { expect, it } from "vitest";
import { silentLog } from "../platform/log.ts";
import { engineGroups } from "../platform/settings/engine-settings.ts";
import type { SpeechEngine } from "../ports/speech-engine.ts";
import type { Engines } from "./engines.ts";
import { warmTasks } from "./warm-tasks.ts";
import { warmUp } from "./warm-up.ts";

function listening(isHere = true) {
  const asked: string[] = [];
  const voices = [
    { id: "first", label: "First" },
    { id: "second", label: "Second" },
  ];
  const speech: SpeechEngine = {
    languages: () => (isHere ? [{ code: "en-us", label: "English", engine: "engine_a", voices }] : []),
    sampleRateHz: () => 24000,
    async *speak({ voice }) {
      asked.push(voice);
      yield { samples: new Float32Array(2400).fill(0.1), sampleRateHz: 24000 };
    },
  };
  const hearing = { transcription: { warm: (language?: string) => asked.push(`hears ${language}`) } };
  const words = { plainEmbeddings: { embed: async () => asked.push("embeds") } };
  return { engines: { speech, hearing, words } as unknown as Engines, asked };
}

it("the default voice speaks once after the start, unless memory is short, its model is not here, or the server stops", async () => {
  const [plenty, short, missing, stopped] = [listening(), listening(), listening(false), listening()];
  const tasksOf =
    ({ engines }: { engines: Engines }) =>
    async () =>
      warmTasks([], engines, engineGroups);
  const reports = [
    warmUp(tasksOf(plenty), silentLog, () => 8e9),
    warmUp(tasksOf(short), silentLog, () => 1e9),
    warmUp(tasksOf(missing), silentLog, () => 8e9),
  ];
  warmUp(tasksOf(stopped), silentLog, () => 8e9).stop();
  const states = () => reports.map((one) => one.report()[0]?.state);
  await expect.poll(states).toEqual(["ready", "skipped", "failed"]);
  expect([plenty, short, missing, stopped].map(({ asked }) => asked)).toEqual([["first"], [], [], []]);
});

it("what was used last is loaded first, each kind once, with its voice where that is still here", async () => {
  const { engines, asked } = listening();
  const uses = [
    { route: "POST /v1/embeddings", voice: null, language: null },
    { route: "WS /v1/realtime/stt/stream", voice: null, language: "es" },
    { route: "POST /v1/speech", voice: "second", language: "en-us" },
    { route: "POST /v1/speech", voice: "first", language: "en-us" },
    { route: "GET /v1/voices", voice: null, language: null },
  ];
  const tasks = warmTasks(uses, engines, engineGroups);
  expect(tasks.map(({ what }) => what)).toEqual(["embeddings", "transcription es", "speech second"]);
  for (const task of tasks) await task.run(new AbortController().signal);
  expect(asked).toEqual(["embeds", "hears es", "second"]);
  const gone = warmTasks([{ route: "POST /v1/speech", voice: "gone", language: "en-us" }], engines, engineGroups);
  await gone[0]!.run(new AbortController().signal);
  expect(asked.at(-1)).toBe("first");
  expect(warmTasks(uses, engines, ["embeddings"]).map(({ what }) => what)).toEqual(["embeddings"]);
});
