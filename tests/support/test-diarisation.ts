import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { writeOnnxMetadata } from "../../src/adapters/engines/sherpa/onnx-metadata.ts";
import { GraphBuilder } from "../../src/adapters/onnx-graph/graph-builder.ts";
import { float32 } from "../../src/adapters/onnx-graph/tensor.ts";

/** What pyannote's graph looks at for one answer, and how far apart answers are. */
const FIELD = 991;
const SHIFT = 270;
const FEATURES = 80;

/** A folder of the shape of pyannote's segmentation with a speaker embedding: low sounds are one person, high ones another. */
export function writeTestDiarisation(folder: string): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "model.onnx"), Buffer.concat([segmentation(), segmentationNote()]));
  writeFileSync(join(folder, "wespeaker.onnx"), Buffer.concat([embedding(), embeddingNote()]));
}

/** Classes: silence, the first of three people, the second, the third, and pairs of them. */
function segmentation(): Uint8Array {
  const graph = new GraphBuilder();
  const sound = graph.input("x", "float32", ["N", 1, "T"]);
  const average = (value: string, kernel: number) =>
    graph.add("AveragePool", [graph.add("Abs", [value])], { kernel_shape: [kernel], strides: [SHIFT] });
  const change = graph.add("Conv", [sound, graph.constant(float32([-1, 1], [1, 1, 2]))], { kernel_shape: [2] });
  const loudness = average(sound, FIELD);
  const sharpness = average(change, FIELD - 1);
  const both = graph.add("Concat", [loudness, sharpness], { axis: 1 });
  const inTime = graph.add("Transpose", [both], { perm: [0, 2, 1] });
  const weights = graph.constant(float32([0, 1, -1, 0, 0, 0, 0, 0, -2, 2, 0, 0, 0, 0], [2, 7]));
  const bias = graph.constant(float32([0.01, 0, 0, -9, -9, -9, -9]));
  graph.output(graph.add("Add", [graph.add("MatMul", [inTime, weights]), bias]), "y");
  return graph.write();
}

function segmentationNote(): Buffer {
  return writeOnnxMetadata({
    model_type: "pyannote-segmentation-3.0",
    num_speakers: "3",
    powerset_max_classes: "2",
    num_classes: "7",
    sample_rate: "16000",
    window_size: "160000",
    receptive_field_size: String(FIELD),
    receptive_field_shift: String(SHIFT),
  });
}

/** How the sound lies over the frequencies, on average. */
function embedding(): Uint8Array {
  const graph = new GraphBuilder();
  const features = graph.input("feats", "float32", ["B", "T", FEATURES]);
  const mean = graph.add("ReduceMean", [features], { axes: [1], keepdims: 0 });
  const middle = graph.add("ReduceMean", [mean], { axes: [1], keepdims: 1 });
  graph.output(graph.add("Sub", [mean, middle]), "embs");
  return graph.write();
}

function embeddingNote(): Buffer {
  return writeOnnxMetadata({
    framework: "wespeaker",
    language: "English",
    url: "",
    comment: "",
    sample_rate: "16000",
    output_dim: String(FEATURES),
    normalize_samples: "1",
    feature_normalize_type: "",
  });
}
