import { type InferenceSession, Tensor } from "onnxruntime-node";
import { CEPSTRA } from "./files.ts";
import { speechFeatures } from "./speech-features.ts";

/** Who speaks, as numbers of length one: the cosine of two says how alike they sound. */
export async function printVoice(
  session: InferenceSession,
  samples: Float32Array,
  sampleRateHz: number,
): Promise<Float32Array> {
  const { values, frames } = speechFeatures(samples, sampleRateHz);
  const { print } = await session.run({ features: new Tensor("float32", values, [1, CEPSTRA, frames]) });
  const numbers = Float32Array.from(print!.data as Float32Array);
  print!.dispose();
  const length = Math.hypot(...numbers) || 1;
  return numbers.map((value) => value / length);
}
