import { afterAll, describe, expect, it } from "vitest";
import { clips, readPcm, whyNoHearing } from "../../../../tests/support/speech-clips.ts";
import { fromPcm16 } from "../../../audio/pcm.ts";
import { silentLog } from "../../../platform/log.ts";
import { readSettings } from "../../../platform/settings/settings.ts";
import { transcriptionEngineContract } from "../../../ports/transcription-engine.contract.ts";
import { readCatalog } from "../../models/catalog.ts";
import { createModelStore } from "../../models/model-folder.ts";
import { createMoonshine } from "./moonshine.ts";

const reason = whyNoHearing();

describe.skipIf(reason)("Moonshine", () => {
  if (reason) {
    it.skip(reason, () => {});
    return;
  }
  const models = createModelStore(readSettings(process.env).storage.modelsDir, readCatalog());
  const moonshine = createMoonshine({ models, log: silentLog, children: 1, interimChildren: 1 });
  afterAll(() => Promise.all(moonshine.hosts.map((host) => host.close())));
  const samplesOf = (clip: string, seconds: number) => fromPcm16(readPcm(clip)).slice(0, seconds * 16_000);

  transcriptionEngineContract("Moonshine", () => moonshine, [
    { samples: samplesOf(clips.english, 3), language: "en-us", words: /wait no longer/i },
    { samples: samplesOf(clips.spanish, 6), language: "es", words: /calzado/i },
  ]);

  it("hears the same words when they are urgent", async () => {
    const samples = samplesOf(clips.english, 3);
    const request = { samples, speechMs: 1500, language: "en-us", isInterim: false, key: "key", flow: "flow" };
    const signal = new AbortController().signal;
    const [calm, urgent] = await Promise.all(
      [false, true].map((isUrgent) => moonshine.hear({ ...request, isUrgent }, signal)),
    );
    expect(urgent!.text).toBe(calm!.text);
  });

  it("hears a faint sentence in noise, although silence is the likeliest single answer to it", async () => {
    let seed = 1;
    const noise = () => {
      seed = (Math.imul(seed, 1664525) + 1013904223) | 0;
      return seed / 2 ** 31;
    };
    const spoken = samplesOf(clips.english, 3);
    const lead = 14_400;
    const samples = Float32Array.from(
      { length: lead + spoken.length },
      (_, i) => 0.1 * (spoken[i - lead] ?? 0) + 0.0105 * noise(),
    );
    const request = { samples, speechMs: 300, language: "en-us", isInterim: false, key: "key", flow: "flow" };
    const { text } = await moonshine.hear(request, new AbortController().signal);
    expect(text).toMatch(/wait no longer/i);
  });

  it("says which languages it knows", () => {
    expect(moonshine.languages()).toEqual(["en-us", "en-gb", "es"]);
  });
});
