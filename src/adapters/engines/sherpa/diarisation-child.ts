import sherpa, { type OfflineSpeakerDiarization } from "sherpa-onnx-node";
import type { SpeakerStretch } from "../../../ports/diarisation-engine.ts";
import { serveChild } from "../host/serve-child.ts";

export interface DiarisationChildSettings {
  readonly segmentation: string;
  readonly embedding: string;
  readonly threads: number;
}

/** How far apart two voices are that are two people's, and what is too short to be speech or a pause (sherpa-onnx's defaults). */
const APART = 0.5;
const SHORTEST_SPEECH_S = 0.3;
const SHORTEST_PAUSE_S = 0.5;

serveChild({
  async load({ segmentation, embedding, threads }: DiarisationChildSettings): Promise<OfflineSpeakerDiarization> {
    return new sherpa.OfflineSpeakerDiarization({
      segmentation: { pyannote: { model: segmentation }, numThreads: threads },
      embedding: { model: embedding, numThreads: threads },
      clustering: { numClusters: -1, threshold: APART },
      minDurationOn: SHORTEST_SPEECH_S,
      minDurationOff: SHORTEST_PAUSE_S,
    });
  },
  tasks: {
    async *diarise({ samples }: { samples: Float32Array }, diarisation: OfflineSpeakerDiarization) {
      yield diarisation.process(samples).map(
        ({ start, end, speaker }): SpeakerStretch => ({
          startMs: Math.round(start * 1000),
          endMs: Math.round(end * 1000),
          speaker,
        }),
      );
    },
  },
});
