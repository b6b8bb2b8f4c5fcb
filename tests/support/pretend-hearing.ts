import { FRAME_SAMPLES } from "../../src/ports/voice-activity.ts";

/** Pretends to hear: a recording of so many minutes that is all speech or all silence, in this language. */
export function pretendHearing(minutes: number, speaks: boolean, language = "es", text = "Hola a todos.") {
  return {
    decoder: {
      async *decode() {
        for (let minute = 0; minute < minutes; minute++) yield new Int16Array(Math.min(1, minutes - minute) * 960_000);
      },
    },
    activity: {
      detect: async ({ samples }: { samples: Float32Array }) => ({
        probabilities: new Float32Array(Math.ceil(samples.length / FRAME_SAMPLES)).fill(speaks ? 1 : 0),
        state: { memory: new Float32Array(0), context: new Float32Array(0), quietFrames: 0 },
      }),
    },
    transcription: { languages: () => ["es"], hear: async () => ({ text, language, confidence: 1 }) },
  };
}
