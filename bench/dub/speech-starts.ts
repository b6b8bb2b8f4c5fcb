import { createSilero } from "../../src/adapters/engines/silero/silero.ts";
import { silentLog } from "../../src/platform/log.ts";
import { FRAME_SAMPLES, HEARING_RATE_HZ } from "../../src/ports/voice-activity.ts";
import { modelStore } from "../../tests/support/local-speech.ts";

const SPEAKS_FROM = 0.5;
/** A shorter pause may lie within a sentence. */
const PAUSE_MS = 150;

/** When speech is heard to begin after a pause, in ms: judged from the sound alone, not by what the dub says about itself. */
export function createVoiceActivity() {
  const silero = createSilero({ models: modelStore, log: silentLog });
  return {
    async find(samples: Float32Array): Promise<number[]> {
      const request = { samples, state: undefined, key: "bench", flow: "bench" };
      const { probabilities } = await silero.detect(request, new AbortController().signal);
      const starts: number[] = [];
      let quietMs = Number.POSITIVE_INFINITY;
      const frameMs = (FRAME_SAMPLES * 1000) / HEARING_RATE_HZ;
      for (const [frame, probability] of probabilities.entries()) {
        if (probability < SPEAKS_FROM) quietMs += frameMs;
        else {
          if (quietMs >= PAUSE_MS) starts.push(Math.round(frame * frameMs));
          quietMs = 0;
        }
      }
      return starts;
    },
    close: () => silero.host.close(),
  };
}
