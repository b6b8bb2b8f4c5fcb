import { makeNode, type OnnxGraph } from "../../onnx-graph/graph.ts";
import { float32, type GraphTensor, int32, int64 } from "../../onnx-graph/tensor.ts";
import { plainForm } from "./plain-form.ts";

/** The names of what a recogniser gives. */
export const picked = { characters: "characters", probabilities: "probabilities" } as const;

/**
 * Lets a recogniser say which character is likeliest at each step, 0 for blank, and how likely it is where it is not blank, instead of how
 * likely each of some 6600 is. Two forms of one character, such as the narrow and the wide bracket, count as one: a recogniser that
 * wavers between them is sure of the bracket.
 */
export function pickCharacters(graph: OnnxGraph, dictionary: readonly string[]): void {
  const end = graph.producerOf(graph.outputs[0]!);
  if (end?.opType !== "Softmax") throw new Error("the recogniser does not end with the probabilities of characters");
  const scores = end.input![0]!;
  const constant = (name: string, tensor: GraphTensor): string => graph.addConstant(`pick/${name}`, tensor);
  const { plain, other, share } = findForms(dictionary);
  graph.replace(end, [
    makeNode("TopK", [scores, constant("one", int64([1]))], ["pick/score", "pick/best"], { attributes: { axis: 2 } }),
    makeNode("Gather", [constant("plain", int32(plain)), "pick/best"], [picked.characters]),
    makeNode("Reshape", ["pick/best", constant("flat", int64([-1]))], ["pick/steps"]),
    makeNode("Equal", ["pick/steps", constant("blank", int64([0]))], ["pick/isBlank"]),
    makeNode("Not", ["pick/isBlank"], ["pick/isCharacter"]),
    makeNode("Compress", [scores, "pick/isCharacter"], ["pick/written"], { attributes: { axis: 1 } }),
    makeNode("Compress", ["pick/best", "pick/isCharacter"], ["pick/first"], { attributes: { axis: 1 } }),
    makeNode("Softmax", ["pick/written"], ["pick/shares"], { attributes: { axis: 2 } }),
    makeNode("GatherElements", ["pick/shares", "pick/first"], ["pick/ofFirst"], { attributes: { axis: 2 } }),
    makeNode("Gather", [constant("other", int64(other)), "pick/first"], ["pick/second"]),
    makeNode("GatherElements", ["pick/shares", "pick/second"], ["pick/ofSecond"], { attributes: { axis: 2 } }),
    makeNode("Gather", [constant("share", float32(share)), "pick/first"], ["pick/counts"]),
    makeNode("Mul", ["pick/ofSecond", "pick/counts"], ["pick/added"]),
    makeNode("Add", ["pick/ofFirst", "pick/added"], [picked.probabilities]),
  ]);
  graph.removeOutput(end.output![0]!);
  graph.addOutput(picked.characters, "int32");
  graph.addOutput(picked.probabilities);
  graph.apply();
}

/** For each character its plain form, another form of it, and whether that one counts, 0 or 1; where there is none, itself and 0. */
function findForms(dictionary: readonly string[]): { plain: number[]; other: number[]; share: number[] } {
  const places = new Map(dictionary.map((character, index) => [character, index]));
  // The first entry stands for blank.
  const plain = dictionary.map((character, index) => (index === 0 ? 0 : (places.get(plainForm(character)) ?? index)));
  const other = dictionary.map((_, index) => index);
  plain.forEach((form, index) => {
    if (form === index) return;
    other[index] = form;
    other[form] = index;
  });
  return { plain, other, share: other.map((place, index) => (place === index ? 0 : 1)) };
}
