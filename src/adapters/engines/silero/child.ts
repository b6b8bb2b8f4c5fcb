import { InferenceSession, Tensor } from "onnxruntime-node";
import { type Activity, type ActivityState, FRAME_SAMPLES } from "../../../ports/voice-activity.ts";
import { serveChild } from "../host/serve-child.ts";

export interface SileroChildSettings {
  readonly graph: string;
}

export interface SileroJob {
  readonly samples: Float32Array;
  readonly state: ActivityState | undefined;
}

/** Version 6 hears nothing unless each frame is preceded by the end of the one before. */
const CONTEXT_SAMPLES = 64;
const MEMORY_SHAPE = [2, 1, 128];
const MEMORY_NUMBERS = 256;
/** After a second without speech the next speaker is judged afresh: a memory of a loud voice makes the network deaf to a quiet
 *  one, for seconds. */
const FORGET_AFTER_QUIET_FRAMES = 31;
const QUIET = 0.35;

serveChild({
  load: ({ graph }: SileroChildSettings) =>
    InferenceSession.create(graph, { intraOpNumThreads: 1, interOpNumThreads: 1, logSeverityLevel: 3 }),
  tasks: {
    async *detect({ samples, state }: SileroJob, session: InferenceSession, signal) {
      const rate = new Tensor("int64", BigInt64Array.of(16_000n), []);
      let memory = toMemory(state?.memory);
      let quietFrames = state?.quietFrames ?? 0;
      const context = Float32Array.from(state?.context ?? new Float32Array(CONTEXT_SAMPLES));
      const probabilities = new Float32Array(Math.ceil(samples.length / FRAME_SAMPLES));
      for (let frame = 0; frame < probabilities.length && !signal.aborted; frame++) {
        const input = new Float32Array(CONTEXT_SAMPLES + FRAME_SAMPLES);
        input.set(context);
        input.set(samples.subarray(frame * FRAME_SAMPLES, (frame + 1) * FRAME_SAMPLES), CONTEXT_SAMPLES);
        const feeds = { input: new Tensor("float32", input, [1, input.length]), state: memory, sr: rate };
        const { output, stateN } = await session.run(feeds);
        memory = stateN as typeof memory;
        context.set(input.subarray(FRAME_SAMPLES));
        const probability = (output!.data as Float32Array)[0]!;
        probabilities[frame] = probability;
        quietFrames = probability < QUIET ? quietFrames + 1 : 0;
        if (quietFrames === FORGET_AFTER_QUIET_FRAMES) {
          memory = toMemory(undefined);
          quietFrames = 0;
        }
      }
      yield {
        probabilities,
        state: { memory: Float32Array.from(memory.data), context, quietFrames },
      } satisfies Activity;
    },
  },
});

function toMemory(numbers: Float32Array | undefined) {
  return new Tensor("float32", Float32Array.from(numbers ?? new Float32Array(MEMORY_NUMBERS)), MEMORY_SHAPE);
}
