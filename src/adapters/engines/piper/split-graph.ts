import { OnnxGraph } from "../../onnx-graph/graph.ts";
import { SPEAKER_NUMBERS } from "./files.ts";

/** What the second half of the graph takes: the plan of a sound, 86 columns a second, and who speaks. */
export const PLAN = "/Mul_7_output_0";
export const PLAN_ROWS = 192;
export const SPEAKER = "/Unsqueeze_output_0";
export const WAVE = "output";

/** The graph in two: from symbols to the plan of a sound, and from the plan to the wave. The second is convolutions and nothing
 *  else, so that a stretch of the plan gives its stretch of the wave. */
export function splitGraph(whole: Uint8Array): { plan: Uint8Array; wave: Uint8Array } {
  const plan = new OnnxGraph(whole);
  plan.removeOutput(WAVE);
  plan.addOutput(PLAN);
  plan.apply();
  const wave = new OnnxGraph(whole);
  for (const value of [PLAN, SPEAKER]) {
    const producer = wave.producerOf(value);
    if (!producer) throw new Error(`the Piper graph has no "${value}"`);
    wave.replace(producer, []);
  }
  for (const input of wave.inputs) wave.removeInput(input);
  wave.addInput(PLAN, [1, PLAN_ROWS, "columns"]);
  wave.addInput(SPEAKER, [1, SPEAKER_NUMBERS, 1]);
  wave.apply();
  return { plan: plan.write(), wave: wave.write() };
}
