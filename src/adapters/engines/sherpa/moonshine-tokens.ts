import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import llama from "llama-tokenizer-js";

/** Moonshine reads and writes with Llama's vocabulary and some marks of its own. */
const VOCABULARY = 32_768;

/** Writes the vocabulary the way that sherpa-onnx reads it: bytes in base64, a tab, the number. */
export async function writeMoonshineTokens({ folder }: { folder: string }): Promise<void> {
  const lines = Array.from({ length: VOCABULARY }, (_, id) => `${bytesOf(id).toString("base64")}\t${id}\n`);
  await writeFile(join(folder, "tokens.txt"), lines.join(""));
}

function bytesOf(id: number): Buffer {
  const token = (llama as unknown as { vocabById: string[] }).vocabById[id] ?? `<<${id}>>`;
  const byte = /^<0x([0-9A-F]{2})>$/.exec(token);
  return byte ? Buffer.from([Number.parseInt(byte[1]!, 16)]) : Buffer.from(token.replaceAll("▁", " "));
}
