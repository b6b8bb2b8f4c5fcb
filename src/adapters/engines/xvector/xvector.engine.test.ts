import { afterAll, describe, expect, it } from "vitest";
import { lacksModels, modelStore } from "../../../../tests/support/local-speech.ts";
import { clips, readPcm } from "../../../../tests/support/speech-clips.ts";
import { fromPcm16 } from "../../../audio/pcm.ts";
import { silentLog } from "../../../platform/log.ts";
import { likeness } from "../../../ports/voice-printer.ts";
import { PRINT_NUMBERS, XVECTOR_MODEL } from "./files.ts";
import { createXvector } from "./xvector.ts";

describe.skipIf(lacksModels(XVECTOR_MODEL))("x-vectors", () => {
  const printer = createXvector({ models: modelStore, log: silentLog });
  afterAll(() => printer.host.close());
  const print = (samples: Float32Array) =>
    printer.print({ samples, key: "test", flow: "test" }, new AbortController().signal);

  it("two halves of one person's speech are more alike than two people", async () => {
    const [one, other] = [clips.englishLong, clips.spanish].map((name) => fromPcm16(readPcm(name)));
    const middle = one!.length >> 1;
    const [first, second] = [await print(one!.slice(0, middle)), await print(one!.slice(middle))];
    expect(likeness(first, second)).toBeGreaterThan(likeness(first, await print(other!)) + 0.1);
  });

  it("have length one, and nothing throws them off: silence, a click, nothing at all", async () => {
    for (const samples of [new Float32Array(16_000), Float32Array.of(1, -1, 1), new Float32Array(0)]) {
      const numbers = await print(samples);
      expect(numbers).toHaveLength(PRINT_NUMBERS);
      expect(Math.hypot(...numbers)).toBeCloseTo(1, 3);
    }
  });
});
