import { afterAll, describe, expect, it } from "vitest";
import { clips, readPcm, shareHeard, transcriptOf, whyNoHearing } from "../../../../tests/support/speech-clips.ts";
import { fromPcm16 } from "../../../audio/pcm.ts";
import { silentLog } from "../../../platform/log.ts";
import { readSettings } from "../../../platform/settings/settings.ts";
import { transcriptionEngineContract } from "../../../ports/transcription-engine.contract.ts";
import { readCatalog } from "../../models/catalog.ts";
import { createModelStore } from "../../models/model-folder.ts";
import { WhisperModel } from "./model.ts";
import { createWhisper } from "./whisper.ts";

const reason = whyNoHearing();

describe.skipIf(reason)("Whisper", () => {
  if (reason) {
    it.skip(reason, () => {});
    return;
  }
  const models = createModelStore(readSettings(process.env).storage.modelsDir, readCatalog());
  const whisper = createWhisper({ models, id: "whisper-small", log: silentLog, children: 1, threads: 2 });
  afterAll(() => whisper.host.close());
  const samplesOf = (clip: string) => fromPcm16(readPcm(clip));
  const signal = new AbortController().signal;
  const request = { speechMs: 4000, isInterim: false, key: "key", flow: "flow" };

  transcriptionEngineContract("Whisper", () => whisper, [
    { samples: samplesOf(clips.german), language: "de", words: /jeden morgen durch den wald/i },
    { samples: samplesOf(clips.french), language: "fr", words: /tous les matins/i },
  ]);

  it("writes nothing, with little confidence, when another language is spoken than the pinned one", async () => {
    const heard = await whisper.hear({ ...request, samples: samplesOf(clips.french), language: "de" }, signal);
    expect(heard).toMatchObject({ text: "", language: "de", isOtherLanguage: true });
    expect(heard.confidence).toBeLessThan(0.1);
  });

  it("only tells a language that is left to others", async () => {
    const asked = { ...request, samples: samplesOf(clips.english), language: undefined };
    expect(await whisper.hear(asked, signal, ["en-us"])).toMatchObject({ text: "", language: "en-us" });
  });

  it("says when each word was said", async () => {
    const { text, words } = await whisper.hear(
      { ...request, samples: samplesOf(clips.french), language: "fr" },
      signal,
    );
    expect(words!.map(({ word }) => word).join(" ")).toBe(text);
    for (const [index, { startMs, endMs }] of words!.entries()) {
      expect(endMs).toBeGreaterThanOrEqual(startMs);
      expect(startMs).toBeGreaterThanOrEqual(words![index - 1]?.startMs ?? 0);
    }
  });

  it("writes English when that is wanted of French", async () => {
    const asked = { ...request, samples: samplesOf(clips.french), language: "fr", isTranslated: true };
    const { text } = await whisper.hear(asked, signal);
    expect(shareHeard("the little train every morning the children", text)).toBeGreaterThan(0.5);
  });

  describe("with a smaller model beside it", () => {
    const german = { ...request, samples: samplesOf(clips.german), language: "de", isInterim: true };
    const options = { id: "whisper-small", quickId: "whisper-base", log: silentLog, children: 1, threads: 2 };

    it("guesses with that one and leaves the larger one alone", async () => {
      const pair = createWhisper({ ...options, models });
      const { text } = await pair.hear(german, signal);
      const states = [pair.host, pair.quickHost!].map((host) => host.status().state);
      await Promise.all([pair.host.close(), pair.quickHost!.close()]);
      expect(shareHeard(transcriptOf(clips.german), text)).toBeGreaterThan(0.5);
      expect(states).toEqual(["idle", "ready"]);
    });

    it("does not guess while answers wait for their turn", async () => {
      const pair = createWhisper({ ...options, models });
      const leave = new AbortController();
      const answers = [1, 2, 3].map((key) =>
        pair.hear({ ...german, isInterim: false, key: `${key}` }, leave.signal).catch(() => undefined),
      );
      const guess = await pair.hear(german, signal);
      leave.abort();
      await Promise.all([...answers, pair.host.close(), pair.quickHost!.close()]);
      expect(guess).toEqual({ text: "", language: "de", confidence: 0 });
    });

    it("guesses with the larger one where the smaller one is not on this machine", async () => {
      const missing = (id: string) => (id === options.quickId ? "it is not here" : models.missing(id));
      const pair = createWhisper({ ...options, models: { ...models, missing } });
      const { text } = await pair.hear(german, signal);
      await Promise.all([pair.host.close(), pair.quickHost!.close()]);
      expect(shareHeard(transcriptOf(clips.german), text)).toBeGreaterThan(0.5);
    });
  });

  it("stops in the middle of what it listens to when nobody waits for it any more", async () => {
    const model = await WhisperModel.load(models.folder("whisper-base"), 1);
    const leave = new AbortController();
    const listening = model.listen(samplesOf(clips.german), "spoken", model.takeRoom(), leave.signal);
    setImmediate(() => leave.abort(new Error("the speaker went on")));
    await expect(listening).rejects.toThrow("the speaker went on");
  });

  it("hears the same words twice", async () => {
    const asked = { ...request, samples: samplesOf(clips.german), language: "de" };
    const [one, other] = [await whisper.hear(asked, signal), await whisper.hear(asked, signal)];
    expect(one).toEqual(other);
    expect(shareHeard(transcriptOf(clips.german), one.text)).toBeGreaterThan(0.8);
  });
});
