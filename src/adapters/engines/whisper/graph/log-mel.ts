import type { GraphBuilder } from "../../../onnx-graph/graph-builder.ts";
import { float32, int64 } from "../../../onnx-graph/tensor.ts";

/** The spectrum that Whisper was trained on: 25 ms every 10 ms, 80 bands on Slaney's mel scale. */
const WINDOW = 400;
const HOP = 160;
const BINS = WINDOW / 2 + 1;
const BANDS = 80;
const HIGHEST_HZ = 8000;

/** Samples [1, 1, n] to bands [1, 80, frames]. The transform is a convolution with waves, so that it costs milliseconds where a
 *  loop in JavaScript costs half a second. */
export function addLogMel(graph: GraphBuilder, samples: string): string {
  const waves = graph.constant(float32(windowedWaves(), [2 * BINS, 1, WINDOW]));
  const parts = graph.add("Conv", [samples, waves], { kernel_shape: [WINDOW], strides: [HOP] });
  const halves = graph.constant(int64([BINS, BINS]));
  const [real, imaginary] = graph.addMany("Split", [graph.add("Mul", [parts, parts]), halves], 2, { axis: 1 });
  const filters = graph.constant(float32(bandFilters(), [BANDS, BINS]));
  const energy = graph.add("MatMul", [filters, graph.add("Add", [real!, imaginary!])]);
  const scalar = (value: number) => graph.constant(float32([value], []));
  const natural = graph.add("Log", [graph.add("Max", [energy, scalar(1e-10)])]);
  const decimal = graph.add("Mul", [natural, scalar(Math.LOG10E)]);
  // Nothing is quieter than 80 dB below the loudest moment.
  const floor = graph.add("Sub", [graph.add("ReduceMax", [decimal], { keepdims: 1 }), scalar(8)]);
  return graph.add("Mul", [graph.add("Add", [graph.add("Max", [decimal, floor]), scalar(4)]), scalar(0.25)]);
}

/** A cosine and a sine for each frequency, under a Hann window. */
function windowedWaves(): Float32Array {
  const waves = new Float32Array(2 * BINS * WINDOW);
  for (let bin = 0; bin < BINS; bin++) {
    for (let i = 0; i < WINDOW; i++) {
      const hann = 0.5 - 0.5 * Math.cos((2 * Math.PI * i) / WINDOW);
      const angle = (2 * Math.PI * ((bin * i) % WINDOW)) / WINDOW;
      waves[bin * WINDOW + i] = hann * Math.cos(angle);
      waves[(BINS + bin) * WINDOW + i] = hann * Math.sin(angle);
    }
  }
  return waves;
}

/** Triangles of equal area, linear up to 1 kHz and logarithmic above. */
function bandFilters(): Float32Array {
  const [knee, kneeMel, step] = [1000, 15, Math.log(6.4) / 27];
  const toMel = (hertz: number) => (hertz < knee ? hertz * 0.015 : kneeMel + Math.log(hertz / knee) / step);
  const toHertz = (mel: number) => (mel < kneeMel ? mel / 0.015 : knee * Math.exp(step * (mel - kneeMel)));
  const edges = Array.from({ length: BANDS + 2 }, (_, i) => toHertz((toMel(HIGHEST_HZ) * i) / (BANDS + 1)));
  const filters = new Float32Array(BANDS * BINS);
  for (let band = 0; band < BANDS; band++) {
    const [low, middle, high] = [edges[band]!, edges[band + 1]!, edges[band + 2]!];
    for (let bin = 0; bin < BINS; bin++) {
      const hertz = (bin * HIGHEST_HZ) / (BINS - 1);
      const slope = Math.min((hertz - low) / (middle - low), (high - hertz) / (high - middle));
      filters[band * BINS + bin] = (Math.max(0, slope) * 2) / (high - low);
    }
  }
  return filters;
}
