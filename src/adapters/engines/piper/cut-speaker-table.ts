import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { OnnxGraph } from "../../onnx-graph/graph.ts";
import { writeWhole } from "../../onnx-graph/write-whole.ts";

import { PIPER_GRAPH, PIPER_SPEAKER_INPUT, PIPER_SPEAKERS, SPEAKER_NUMBERS } from "./files.ts";

/** Takes the table of 904 speakers out of the graph, so that any speaker vector can be spoken with, cloned ones included. */
export async function cutSpeakerTable({ folder }: { folder: string }): Promise<void> {
  const graph = new OnnxGraph(await readFile(join(folder, "model.onnx")));
  const lookup = graph.producerOf(PIPER_SPEAKER_INPUT);
  if (lookup?.opType !== "Gather") throw new Error("the Piper graph has no table of speakers");
  const table = graph.getConstant(lookup.input![0]!);
  if (table.dims[1] !== SPEAKER_NUMBERS)
    throw new Error(`speakers have ${table.dims[1]} numbers, not ${SPEAKER_NUMBERS}`);
  graph.replace(lookup, []);
  graph.removeInput("sid");
  graph.addInput(PIPER_SPEAKER_INPUT, [1, SPEAKER_NUMBERS]);
  graph.apply();
  await writeWhole(
    join(folder, PIPER_SPEAKERS),
    new Uint8Array(table.data.buffer, table.data.byteOffset, table.data.byteLength),
  );
  await writeWhole(join(folder, PIPER_GRAPH), graph.write());
}
