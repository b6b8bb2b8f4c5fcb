import { afterAll, describe, expect, it } from "vitest";
import { clips, readPcm, silence, whyNoHearing } from "../../../../tests/support/speech-clips.ts";
import { fromPcm16 } from "../../../audio/pcm.ts";
import { silentLog } from "../../../platform/log.ts";
import { readSettings } from "../../../platform/settings/settings.ts";
import { type Activity, type ActivityState, FRAME_SAMPLES } from "../../../ports/voice-activity.ts";
import { readCatalog } from "../../models/catalog.ts";
import { createModelStore } from "../../models/model-folder.ts";
import { createSilero } from "./silero.ts";

const reason = whyNoHearing();
if (reason) console.warn(`voice activity is not tested: ${reason}`);

describe.skipIf(reason)("Silero", () => {
  const models = createModelStore(readSettings(process.env).storage.modelsDir, readCatalog());
  const silero = createSilero({ models, log: silentLog });
  afterAll(() => silero.host.close());
  const { signal } = new AbortController();
  const detect = (samples: Float32Array, state?: ActivityState): Promise<Activity> =>
    silero.detect({ samples, state, key: "test", flow: "test" }, signal);

  it("hears the same in one stretch as in many, and nothing in the silence between two speakers", async () => {
    const pcm = Buffer.concat([readPcm(clips.english), silence(2), readPcm(clips.english)]);
    const samples = fromPcm16(pcm);
    const whole = await detect(samples);
    const parts: number[] = [];
    let state: ActivityState | undefined;
    for (let from = 0, frames = 1; from < samples.length; from += frames * FRAME_SAMPLES, frames = (frames % 7) + 1) {
      const part = await detect(samples.slice(from, from + frames * FRAME_SAMPLES), state);
      parts.push(...part.probabilities);
      state = part.state;
    }
    expect(parts).toHaveLength(whole.probabilities.length);
    for (const [index, probability] of parts.entries()) expect(probability).toBeCloseTo(whole.probabilities[index]!, 3);
    expect(Math.max(...whole.probabilities)).toBeGreaterThan(0.9);
    const middle = Math.floor(parts.length / 2);
    for (const probability of parts.slice(middle - 15, middle + 15)) expect(probability).toBeLessThan(0.35);
  });
});
