import { mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { lacksModels, modelStore } from "../../../../tests/support/local-speech.ts";
import { clips, readPcm } from "../../../../tests/support/speech-clips.ts";
import { fromPcm16, joinSamples } from "../../../audio/pcm.ts";
import { resample } from "../../../audio/resample.ts";
import { deriveSteps } from "../../../main/derive-steps.ts";
import { inspectWeights } from "../../../main/inspect-weights.ts";
import { silentLog } from "../../../platform/log.ts";
import { transcriptionEngineContract } from "../../../ports/transcription-engine.contract.ts";
import { addModel } from "../../models/add.ts";
import { parseOwnAddress } from "../own-weights/parse-address.ts";
import { openFolder } from "./open-folder.ts";
import { createSherpaHearing, type SherpaHearing } from "./sherpa-hearing.ts";
import { createSherpaSpeech, type SherpaSpeech } from "./sherpa-speech.ts";

/** The product's own weights, as somebody would bring them. */
const moonshine = "moonshine-base-en";
const piper = "piper-libritts";

if (lacksModels(moonshine, piper)) describe.skip("sherpa-onnx", () => it("needs its models", () => {}));
else {
  describe("sherpa-onnx", () => {
    let folder: string;
    let hearing: SherpaHearing;
    let speech: SherpaSpeech;
    const signal = new AbortController().signal;
    const turn = { key: "key", flow: "flow" };

    beforeAll(async () => {
      folder = mkdtempSync(join(tmpdir(), "parlance-own-"));
      const [heard, voice] = ["heard", "voice"].map((name) => mkdtempSync(join(folder, `${name}-`))) as [
        string,
        string,
      ];
      for (const file of ["encoder_model.onnx", "decoder_model_merged.onnx"]) {
        symlinkSync(join(modelStore.folder(moonshine), file), join(heard, file));
      }
      for (const file of ["model.onnx", "tokens.txt"]) {
        symlinkSync(join(modelStore.folder(piper), file), join(voice, file));
      }
      const modelsDir = join(folder, "models");
      await addModel("my-moonshine", heard, {
        modelsDir,
        steps: deriveSteps,
        inspect: inspectWeights,
        onProgress() {},
      });
      const open = (setting: string, address: string, use: "transcription" | "speech") =>
        openFolder(setting, parseOwnAddress(address, ["sherpa"])!, [use], modelsDir);
      const options = { log: silentLog, threads: 1, modelsDir };
      const recogniser = open("SVC_TRANSCRIPTION_ENGINE", "sherpa:my-moonshine?languages=en", "transcription");
      hearing = createSherpaHearing({ ...options, folder: recogniser, children: 1, detector: () => undefined });
      speech = createSherpaSpeech({ ...options, folder: open("SVC_SPEECH_ENGINE", `sherpa:${voice}`, "speech") });
    });
    afterAll(async () => {
      await Promise.all([hearing.host.close(), speech.host.close()]);
      rmSync(folder, { recursive: true, force: true });
    });

    transcriptionEngineContract("Moonshine by sherpa-onnx", () => hearing, [
      { samples: fromPcm16(readPcm(clips.english)).slice(0, 48_000), language: "en-us", words: /wait no longer/i },
    ]);

    it("offers the voices of a folder for its language, and what they say is understood", async () => {
      const [language] = speech.languages();
      expect(language).toMatchObject({ code: "en-us", label: "English (United States)", engine: "engine_a" });
      expect(language!.voices).toHaveLength(20);
      const request = { text: "He could wait no longer.", language: "en-us", voice: language!.voices[3]!.id, speed: 1 };
      const parts: Float32Array[] = [];
      for await (const { samples, sampleRateHz } of speech.speak({ ...request, ...turn }, signal)) {
        expect(sampleRateHz).toBe(24_000);
        parts.push(samples);
      }
      const samples = resample(joinSamples(parts), 24_000, 16_000);
      const heard = await hearing.hear(
        { samples, speechMs: 1500, language: "en-us", isInterim: false, ...turn },
        signal,
      );
      expect(heard.text).toMatch(/wait no longer/i);
      await expect(
        speech
          .speak({ ...request, voice: "nobody", ...turn }, signal)
          [Symbol.asyncIterator]()
          .next(),
      ).rejects.toThrow(/There is no voice "nobody" for "en-us"\. Voices: /);
    });
  });
}
