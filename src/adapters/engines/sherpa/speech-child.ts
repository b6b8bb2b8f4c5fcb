import sherpa, { type OfflineTts } from "sherpa-onnx-node";
import { serveChild } from "../host/serve-child.ts";
import { layOutEspeakData } from "./espeak-data.ts";
import type { Recognised } from "./recognise-folder.ts";
import { speechConfig } from "./write-config.ts";

export interface SherpaSpeechSettings {
  readonly folder: Recognised;
  readonly threads: number;
  readonly modelsDir: string;
}

export interface SherpaSpeechJob {
  readonly text: string;
  readonly speaker: number;
  readonly speed: number;
  /** A clip to speak like, and what is said in it. */
  readonly clip?: { readonly samples: Float32Array; readonly sampleRateHz: number; readonly text: string } | undefined;
}

export interface SherpaSpoken {
  readonly samples: Float32Array;
  readonly sampleRateHz: number;
}

serveChild({
  load({ folder, threads, modelsDir }: SherpaSpeechSettings): Promise<OfflineTts> {
    return sherpa.OfflineTts.createAsync(speechConfig(folder, threads, layOutEspeakData(modelsDir)));
  },
  tasks: {
    async *speak({ text, speaker, speed, clip }: SherpaSpeechJob, tts: OfflineTts) {
      const like = clip && {
        referenceAudio: clip.samples,
        referenceSampleRate: clip.sampleRateHz,
        referenceText: clip.text,
      };
      const { samples, sampleRate } = await tts.generateAsync({
        text,
        sid: speaker,
        speed,
        enableExternalBuffer: false,
        ...(like ? { generationConfig: { ...like, speed } } : {}),
      });
      yield { samples, sampleRateHz: sampleRate } satisfies SherpaSpoken;
    },
  },
});
