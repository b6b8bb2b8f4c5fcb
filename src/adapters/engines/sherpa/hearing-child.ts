import sherpa, { type OfflineRecognizer } from "sherpa-onnx-node";
import { serveChild } from "../host/serve-child.ts";

export interface SherpaHearingSettings {
  /** The runtime's own configuration. */
  readonly config: object;
}

export interface SherpaHearingJob {
  readonly samples: Float32Array;
  /** Another configuration of the same weights, for models that are told the language. */
  readonly config: object | undefined;
}

export interface SherpaHeard {
  readonly text: string;
  /** As the model calls it; empty where it does not tell. */
  readonly language: string;
  readonly tokens: readonly string[];
  readonly timestamps: readonly number[];
  readonly durations: readonly number[];
  /** Mean over the tokens; undefined where the model does not tell. */
  readonly logProbability: number | undefined;
}

const SAMPLE_RATE_HZ = 16_000;

serveChild({
  load: ({ config }: SherpaHearingSettings): Promise<OfflineRecognizer> => sherpa.OfflineRecognizer.createAsync(config),
  tasks: {
    async *hear({ samples, config }: SherpaHearingJob, recognizer: OfflineRecognizer) {
      if (config) recognizer.setConfig(config);
      const stream = recognizer.createStream();
      stream.acceptWaveform({ sampleRate: SAMPLE_RATE_HZ, samples });
      const { text, lang, tokens, timestamps, durations, ys_log_probs: logs } = await recognizer.decodeAsync(stream);
      const logProbability = logs.length > 0 ? logs.reduce((sum, one) => sum + one, 0) / logs.length : undefined;
      const language = lang.replace(/[<|>]/g, "");
      yield { text: text.trim(), language, tokens, timestamps, durations, logProbability } satisfies SherpaHeard;
    },
    /** Loading is all that it takes. */
    async *warm() {
      yield true;
    },
  },
});
