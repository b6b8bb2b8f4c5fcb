import { InferenceSession, Tensor } from "onnxruntime-node";
import { type Activity, type ActivityState, FRAME_SAMPLES } from "../../../ports/voice-activity.ts";
import { serveChild } from "../host/serve-child.ts";
import { CONTEXT_SAMPLES, FRAME_INPUTS, MEMORY_NUMBERS, MIRRORED_SAMPLES } from "./files.ts";

export interface SileroChildSettings {
  readonly graph: string;
}

export interface SileroJob {
  readonly samples: Float32Array;
  readonly state: ActivityState | undefined;
}

/** After a second without speech the next speaker is judged afresh: a memory of a loud voice makes the network deaf to a quiet
 *  one, for seconds. */
const FORGET_AFTER_QUIET_FRAMES = 31;
const QUIET = 0.35;

serveChild({
  load: ({ graph }: SileroChildSettings) =>
    InferenceSession.create(graph, { intraOpNumThreads: 1, interOpNumThreads: 1, logSeverityLevel: 3 }),
  tasks: {
    async *detect({ samples, state }: SileroJob, session: InferenceSession, signal) {
      const probabilities = new Float32Array(Math.ceil(samples.length / FRAME_SAMPLES));
      let memory: Float32Array = Float32Array.from(state?.memory ?? new Float32Array(2 * MEMORY_NUMBERS));
      let context: Float32Array = Float32Array.from(state?.context ?? new Float32Array(CONTEXT_SAMPLES));
      let quietFrames = state?.quietFrames ?? 0;
      let frame = 0;
      while (frame < probabilities.length && !signal.aborted) {
        // No further than to where it may have to forget.
        const count = Math.min(probabilities.length - frame, FORGET_AFTER_QUIET_FRAMES - quietFrames);
        const laidOut = layOut(
          samples.subarray(frame * FRAME_SAMPLES, (frame + count) * FRAME_SAMPLES),
          context,
          count,
        );
        const heard = await session.run({
          frames: new Tensor("float32", laidOut.inputs, [count, 1, FRAME_INPUTS]),
          hidden: toMemory(memory.subarray(0, MEMORY_NUMBERS)),
          cell: toMemory(memory.subarray(MEMORY_NUMBERS)),
        });
        const found = heard.probabilities!.data as Float32Array;
        probabilities.set(found, frame);
        memory = Float32Array.from([...numbers(heard.next_hidden), ...numbers(heard.next_cell)]);
        context = laidOut.context;
        for (const probability of found) quietFrames = probability < QUIET ? quietFrames + 1 : 0;
        if (quietFrames >= FORGET_AFTER_QUIET_FRAMES) {
          memory.fill(0);
          quietFrames = 0;
        }
        frame += count;
      }
      yield { probabilities, state: { memory, context, quietFrames } } satisfies Activity;
    },
  },
});

/** Frames as the graph wants them: what was before, the frame, and its end mirrored. A last frame that is short ends in silence. */
function layOut(samples: Float32Array, context: Float32Array, count: number) {
  const inputs = new Float32Array(count * FRAME_INPUTS);
  let before = context;
  for (let frame = 0; frame < count; frame++) {
    const input = inputs.subarray(frame * FRAME_INPUTS, (frame + 1) * FRAME_INPUTS);
    const own = CONTEXT_SAMPLES + FRAME_SAMPLES;
    input.set(before);
    input.set(samples.subarray(frame * FRAME_SAMPLES, (frame + 1) * FRAME_SAMPLES), CONTEXT_SAMPLES);
    for (let i = 0; i < MIRRORED_SAMPLES; i++) input[own + i] = input[own - 2 - i]!;
    before = input.slice(own - CONTEXT_SAMPLES, own);
  }
  return { inputs, context: before };
}

function toMemory(values: Float32Array): Tensor {
  return new Tensor("float32", values, [1, 1, MEMORY_NUMBERS]);
}

function numbers(tensor: Tensor | undefined): Float32Array {
  return tensor!.data as Float32Array;
}
