import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { writeTestReranker } from "../../../../tests/support/test-reranker.ts";
import { GraphBuilder } from "../../onnx-graph/graph-builder.ts";
import { parseOwnAddress } from "../own-weights/parse-address.ts";
import { openTokenizer } from "../own-weights/text-tokenizer.ts";
import { capabilityOfTextModel, openCrossEncoder } from "./open-cross-encoder.ts";
import { frameOf, scoreOf, writePairs } from "./pairs.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "parlance-rank-"));
  writeTestReranker(folder);
  return () => rmSync(folder, { recursive: true, force: true });
});

const graphFile = () => join(folder, "model_quantized.onnx");
const open = (where = folder) =>
  openCrossEncoder("SVC_RERANKING_ENGINE", parseOwnAddress(`onnx:${where}`, ["onnx"])!, folder);

/** A graph that passes one value through. */
function writeGraph(input: string, output: string, dims: string[]): void {
  const graph = new GraphBuilder();
  graph.output(graph.input(input, "float32", dims), output);
  writeFileSync(graphFile(), graph.write());
}

describe("a reranker of one's own", () => {
  it("is a folder, or its graph", () => {
    expect(open()).toMatchObject({ folder, file: "model_quantized.onnx" });
    expect(open(graphFile())).toMatchObject({ folder, file: "model_quantized.onnx", name: "model_quantized" });
  });

  it("is told from an embedder and from a recogniser when it is added", () => {
    expect(capabilityOfTextModel(folder)).toBe("reranking");
    writeGraph("input_ids", "last_hidden_state", ["b", "n", "d"]);
    expect(capabilityOfTextModel(folder)).toBe("embeddings");
    writeGraph("audio", "logits", ["n"]);
    expect(capabilityOfTextModel(folder)).toBeUndefined();
  });

  it.each<[string, () => void, RegExp]>([
    ["an empty folder", () => rmSync(graphFile()), /there is none of model_quantized\.onnx, .* in /],
    ["no tokenizer", () => rmSync(join(folder, "vocab.txt")), /tokenizer\.json is not beside it in .*; it comes with/],
    [
      "a file that is something else",
      () => writeFileSync(graphFile(), "<html>404</html>"),
      /is not a whole ONNX file\.$/,
    ],
    ["an empty file", () => writeFileSync(graphFile(), ""), /is not a whole ONNX file\.$/],
    [
      "a file that is cut",
      () => writeFileSync(graphFile(), readFileSync(graphFile()).subarray(0, 300)),
      /is not a whole ONNX file\.$/,
    ],
    ["a graph for sound", () => writeGraph("audio", "logits", ["n"]), /takes audio and not the input_ids of a text\.$/],
    [
      "an embedder",
      () => writeGraph("input_ids", "last_hidden_state", ["b", "n", "d"]),
      /gives "last_hidden_state" and no scores; a model that embeds belongs to SVC_EMBEDDINGS_ENGINE\.$/,
    ],
  ])("%s is refused in one sentence", (_what, spoil, sentence) => {
    spoil();
    expect(() => open()).toThrow(sentence);
    expect(() => open()).toThrow(/^SVC_RERANKING_ENGINE is "onnx:/);
  });

  it("needs no more than its words to cut texts as BERT does", () => {
    const { tokenizer } = openTokenizer(folder);
    const tokens = (text: string, pair?: string) => tokenizer.encode(text, { text_pair: pair ?? null }).ids;
    expect(tokens("The CÁTS, wombat")).toEqual([2, 5, 7, 8, 17, 1, 3]);
    expect(tokens("the cat", "a dog")).toEqual([2, 5, 7, 3, 6, 9, 3]);
  });
});

describe("pairs", () => {
  it("put the query beside each part of a long document", () => {
    const bert = frameOf([101, 9, 9, 102, 9, 9, 102], 2);
    expect(writePairs(bert, [1, 2], [3], 512)).toEqual([{ ids: [101, 1, 2, 102, 3, 102], types: [0, 0, 0, 0, 1, 1] }]);
    const parts = writePairs(bert, [1], [5, 6, 7, 8], 6);
    expect(parts.map(({ ids }) => ids)).toEqual([
      [101, 1, 102, 5, 6, 102],
      [101, 1, 102, 7, 8, 102],
    ]);
    expect(writePairs(bert, [1, 2, 3, 4, 5, 6], [9], 9)[0]!.ids).toEqual([101, 1, 2, 3, 102, 9, 102]);
  });

  it("are framed as RoBERTa frames them", () => {
    expect(writePairs(frameOf([0, 9, 2, 2, 9, 2], 1), [7], [8], 512)[0]!.ids).toEqual([0, 7, 2, 2, 8, 2]);
  });

  it("are scored by one number or by two", () => {
    expect(scoreOf([0])).toBe(0.5);
    expect(scoreOf([1, 3])).toBeCloseTo(1 / (1 + Math.exp(-2)));
    expect(() => scoreOf([1, 2, 3])).toThrow("gives 3 numbers");
  });
});
