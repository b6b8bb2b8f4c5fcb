import { type GraphNode, intsOf, makeNode, type OnnxGraph } from "../../../onnx-graph/graph.ts";
import { float32, int8, int32, int64, uint8 } from "../../../onnx-graph/tensor.ts";
import { readWeights } from "../../voice-graph/read-weights.ts";
import type { Snake } from "./find-snakes.ts";
import { normalize } from "./fuse-norms.ts";
import { gatherTaps } from "./gather-taps.ts";

/** The least and most that was seen in each channel, over many voices and sentences: `t` goes in, `y` comes out. */
export interface ChannelRanges {
  readonly tmin: readonly number[];
  readonly tmax: readonly number[];
  readonly ymin: readonly number[];
  readonly ymax: readonly number[];
}

export type GeneratorRanges = Readonly<Record<string, ChannelRanges>>;

/**
 * Snakes and their convolutions in whole numbers. With t = 2 alpha z the snake is (t - cos t + 1) / 2 alpha: the factor moves
 * into the weights, the 1 into the zero point, and what is left to compute per sample is one cosine and one subtraction.
 */
export function writeQuantizedSnake(ranges: GeneratorRanges, keepsFloat: (key: string) => boolean) {
  return (graph: OnnxGraph, snake: Snake): GraphNode[] => {
    const range = ranges[snake.key];
    if (range === undefined) throw new Error(`no ranges for "${snake.key}"`);
    const plan = planQuantization(graph, snake, range);
    const prefix = `snake/${snake.key}`;
    const nodes = [
      ...normalize(
        graph,
        snake.norm,
        prefix,
        `${prefix}/t`,
        snake.alpha.map((alpha) => 2 * alpha),
      ),
      makeNode("Cos", [`${prefix}/t`], [`${prefix}/cos`]),
      makeNode("Sub", [`${prefix}/t`, `${prefix}/cos`], [`${prefix}/u`]),
      makeNode(
        "QuantizeLinear",
        [
          `${prefix}/u`,
          graph.addConstant(`${prefix}/s`, float32(plan.inputScales)),
          graph.addConstant(`${prefix}/z`, uint8(plan.inputZeros)),
        ],
        [`${prefix}/q`],
        { attributes: { axis: 1 } },
      ),
    ];
    return [
      ...nodes,
      ...(keepsFloat(snake.key) ? writeMatMul(graph, snake, plan) : writeConvolution(graph, snake, plan, range)),
    ];
  };
}

interface Plan {
  readonly dims: readonly [number, number, number];
  readonly inputScales: Float64Array;
  readonly inputZeros: Float64Array;
  /** What the input value 0 is as a whole number, so what padding must be. */
  readonly padZero: number;
  readonly weights: Int8Array;
  readonly weightScales: Float64Array;
  readonly isDead: boolean[];
  readonly bias: Float64Array;
}

const snakeOf = (t: number) => t - Math.cos(t) + 1;

function planQuantization(graph: OnnxGraph, snake: Snake, range: ChannelRanges): Plan {
  const { weights, dims, bias } = readWeights(graph, snake.convolution);
  const [outputs, inputs, taps] = dims as [number, number, number];
  const { alpha } = snake;
  const power = new Float64Array(inputs);
  weights.forEach((weight, index) => {
    power[Math.floor(index / taps) % inputs]! += weight * weight;
  });
  const low = range.tmin.map((t) => Math.min(snakeOf(2 * t), -1e-3));
  const high = range.tmax.map((t) => Math.max(snakeOf(2 * t), 1e-3));
  let best = { error: Number.POSITIVE_INFINITY, zero: 0, scales: new Float64Array(0) };
  for (let zero = 40; zero < 216; zero += 4) {
    const scales = Float64Array.from(low, (lowest, c) =>
      Math.max(high[c]! / (255 - zero), -lowest / zero, 1 / (255 - zero)),
    );
    const error = scales.reduce((sum, scale, c) => sum + (scale / alpha[c]!) ** 2 * power[c]!, 0);
    if (error < best.error) best = { error, zero, scales };
  }
  const ones = best.scales.map((scale) => Math.round(1 / scale));
  // Weights for the quantised input, and a bias that makes up for the 1 not being a whole number of steps.
  const scaled = weights.map((weight, index) => weight / (2 * alpha[Math.floor(index / taps) % inputs]!));
  const corrected = bias.slice();
  scaled.forEach((weight, index) => {
    const c = Math.floor(index / taps) % inputs;
    corrected[Math.floor(index / (taps * inputs))]! += weight * (1 - best.scales[c]! * ones[c]!);
    scaled[index] = weight * best.scales[c]!;
  });
  const weightScales = new Float64Array(outputs);
  scaled.forEach((weight, index) => {
    const o = Math.floor(index / (taps * inputs));
    weightScales[o] = Math.max(weightScales[o]!, Math.abs(weight) / 127);
  });
  const isDead = Array.from(weightScales, (scale) => scale < 1e-12);
  for (let o = 0; o < outputs; o++) if (isDead[o]) weightScales[o] = 1e-9;
  const whole = Int8Array.from(scaled, (weight, index) =>
    Math.max(-127, Math.min(127, Math.round(weight / weightScales[Math.floor(index / (taps * inputs))]!))),
  );
  return {
    dims: [outputs, inputs, taps],
    inputScales: best.scales,
    inputZeros: ones.map((one) => one + best.zero),
    padZero: best.zero,
    weights: whole,
    weightScales,
    isDead,
    bias: corrected,
  };
}

/** Whole numbers in and out: each output channel has its own scale and middle. */
function writeConvolution(graph: OnnxGraph, snake: Snake, plan: Plan, range: ChannelRanges): GraphNode[] {
  const prefix = `snake/${snake.key}`;
  const [outputs, , taps] = plan.dims;
  const scales = new Float64Array(outputs);
  const zeros = new Float64Array(outputs);
  const bias = new Int32Array(outputs);
  const ratios = new Float64Array(outputs);
  for (let o = 0; o < outputs; o++) {
    const middle = (range.ymax[o]! + range.ymin[o]!) / 2;
    scales[o] = Math.max((range.ymax[o]! - range.ymin[o]!) / 254, plan.isDead[o] ? Math.abs(middle) / 100 : 0) + 1e-7;
    zeros[o] = Math.max(0, Math.min(255, 128 - Math.round(middle / scales[o]!)));
    const centre = (128 - zeros[o]!) * scales[o]!;
    // The bias must fit into 32 bits.
    const weightScale = Math.max(plan.weightScales[o]!, Math.abs(plan.bias[o]! - centre) / 1e9);
    bias[o] = Math.round((plan.bias[o]! - centre) / weightScale);
    ratios[o] = weightScale / scales[o]!;
  }
  const one = graph.addConstant("one", float32([1], []));
  return [
    makeNode(
      "QLinearConv",
      [
        `${prefix}/q`,
        one,
        graph.addConstant(`${prefix}/zero`, uint8([plan.padZero], [])),
        graph.addConstant(`${prefix}/w`, int8(plan.weights, plan.dims)),
        graph.addConstant(`${prefix}/ws`, float32(ratios)),
        graph.addConstant(`${prefix}/wz`, int8(new Int8Array(outputs))),
        one,
        graph.addConstant("middle", uint8([128], [])),
        graph.addConstant(`${prefix}/b`, int32(bias)),
      ],
      [`${prefix}/yq`],
      {
        attributes: {
          kernel_shape: [taps],
          dilations: intsOf(snake.convolution, "dilations")!,
          pads: intsOf(snake.convolution, "pads")!,
        },
      },
    ),
    makeNode(
      "DequantizeLinear",
      [
        `${prefix}/yq`,
        graph.addConstant(`${prefix}/ys`, float32(scales)),
        graph.addConstant(`${prefix}/yz`, uint8(zeros)),
      ],
      [snake.convolution.output![0]!],
      { attributes: { axis: 1 } },
    ),
  ];
}

/** Whole numbers in, real numbers out: for results that are added up, where a second rounding would be heard. */
function writeMatMul(graph: OnnxGraph, snake: Snake, plan: Plan): GraphNode[] {
  const prefix = `snake/${snake.key}`;
  const [outputs, inputs, taps] = plan.dims;
  const matrix = new Int8Array(taps * inputs * outputs);
  for (let o = 0; o < outputs; o++) {
    for (let i = 0; i < inputs; i++) {
      for (let k = 0; k < taps; k++) {
        matrix[(k * inputs + i) * outputs + o] = plan.weights[(o * inputs + i) * taps + k]!;
      }
    }
  }
  const zero = graph.addConstant(`${prefix}/zero`, uint8([plan.padZero], []));
  const columns = gatherTaps(graph, {
    prefix,
    input: `${prefix}/q`,
    padValue: zero,
    pads: intsOf(snake.convolution, "pads") as [number, number],
    dilation: intsOf(snake.convolution, "dilations")![0]!,
    channels: inputs,
    taps,
  });
  const firstAxis = graph.addConstant("axis0", int64([0]));
  return [
    ...columns.nodes,
    makeNode(
      "MatMulIntegerToFloat",
      [
        columns.output,
        graph.addConstant(`${prefix}/w`, int8(matrix, [taps * inputs, outputs])),
        graph.addConstant("one", float32([1], [])),
        graph.addConstant(`${prefix}/ws`, float32(plan.weightScales)),
        zero,
        graph.addConstant(`${prefix}/wz`, int8(new Int8Array(outputs))),
        graph.addConstant(`${prefix}/b`, float32(plan.bias)),
      ],
      [`${prefix}/yt`],
      { domain: "com.microsoft" },
    ),
    makeNode("Unsqueeze", [`${prefix}/yt`, firstAxis], [`${prefix}/y3`]),
    makeNode("Transpose", [`${prefix}/y3`], [snake.convolution.output![0]!], { attributes: { perm: [0, 2, 1] } }),
  ];
}
