import { InferenceSession, Tensor } from "onnxruntime-node";
import { serveChild } from "../host/serve-child.ts";
import { BANDS, FRAMES, turnFeatures } from "./features.ts";

serveChild({
  load: ({ file }: { file: string }) =>
    InferenceSession.create(file, {
      intraOpNumThreads: 1,
      interOpNumThreads: 1,
      executionMode: "sequential",
      logSeverityLevel: 3,
    }),
  tasks: {
    async *judge({ samples }: { samples: Float32Array }, session: InferenceSession) {
      const features = new Tensor("float32", turnFeatures(samples), [1, BANDS, FRAMES]);
      const output = await session.run({ [session.inputNames[0]!]: features });
      yield Number((output[session.outputNames[0]!]!.data as Float32Array)[0]);
    },
  },
});
