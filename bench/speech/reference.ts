import { readFileSync } from "node:fs";
import { join } from "node:path";
import { InferenceSession, Tensor } from "onnxruntime-node";
import { toSymbolIds } from "../../src/adapters/engines/kokoro/symbols.ts";
import { buildPiperGraph } from "../../src/adapters/engines/piper/build-graph.ts";
import { PIPER_SPEAKER_INPUT } from "../../src/adapters/engines/piper/files.ts";
import { readPiperTokens, toPiperIds } from "../../src/adapters/engines/piper/piper-ids.ts";
import { modelStore } from "../../tests/support/local-speech.ts";

/** The plain way to run the same weights: one ONNX session with default options, in this process. Symbols in, seconds out. */
export interface Reference {
  readonly name: string;
  speak(symbols: string, voice: string): Promise<number>;
  close(): Promise<void>;
}

/** A Kokoro graph alone, without anything of ours around it. */
export async function runKokoro(
  session: InferenceSession,
  ids: readonly number[],
  voice: string,
): Promise<Float32Array> {
  const table = readFileSync(join(modelStore.folder("kokoro-82m"), "voices", `${voice}.bin`));
  const style = Float32Array.from({ length: 256 }, (_, i) => table.readFloatLE((ids.length * 256 + i) * 4));
  const output = await session.run({
    input_ids: new Tensor("int64", BigInt64Array.from([0, ...ids, 0].map(BigInt)), [1, ids.length + 2]),
    style: new Tensor("float32", style, [1, 256]),
    speed: new Tensor("float32", Float32Array.of(1), [1]),
  });
  return Float32Array.from(output.waveform!.data as Float32Array);
}

export async function openKokoroReference(): Promise<Reference> {
  const folder = modelStore.folder("kokoro-82m");
  const session = await InferenceSession.create(join(folder, "kokoro-quantized.onnx"));
  return {
    name: "kokoro as shipped",
    async speak(symbols, voice) {
      return (await runKokoro(session, toSymbolIds(symbols), voice)).length / 24000;
    },
    close: () => session.release(),
  };
}

export async function openPiperReference(): Promise<Reference> {
  const folder = modelStore.folder("piper-libritts");
  const session = await InferenceSession.create(buildPiperGraph(readFileSync(join(folder, "model.onnx")), "shipped"));
  const tokens = readPiperTokens(readFileSync(join(folder, "tokens.txt"), "utf8"));
  const speakers = readFileSync(join(folder, "speakers.f32"));
  return {
    name: "piper as shipped",
    async speak(symbols, voice) {
      const ids = toPiperIds(symbols, tokens);
      const speaker = Float32Array.from({ length: 512 }, (_, i) => speakers.readFloatLE((Number(voice) * 512 + i) * 4));
      const output = await session.run({
        input: new Tensor("int64", BigInt64Array.from(ids, BigInt), [1, ids.length]),
        input_lengths: new Tensor("int64", BigInt64Array.of(BigInt(ids.length)), [1]),
        scales: new Tensor("float32", Float32Array.of(0.333, 1, 0.333), [3]),
        [PIPER_SPEAKER_INPUT]: new Tensor("float32", speaker, [1, 512]),
      });
      return output.output!.data.length / 22050;
    },
    close: () => session.release(),
  };
}
