import { InferenceSession } from "onnxruntime-node";
import { serveChild } from "../host/serve-child.ts";
import { printVoice } from "./print-voice.ts";

export interface XvectorChildSettings {
  readonly graph: string;
}

export interface XvectorJob {
  readonly samples: Float32Array;
  readonly sampleRateHz: number;
}

serveChild({
  load: ({ graph }: XvectorChildSettings) =>
    InferenceSession.create(graph, { intraOpNumThreads: 1, interOpNumThreads: 1, logSeverityLevel: 3 }),
  tasks: {
    async *print({ samples, sampleRateHz }: XvectorJob, session: InferenceSession) {
      yield await printVoice(session, samples, sampleRateHz);
    },
  },
});
