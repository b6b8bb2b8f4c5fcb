import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { createEncoder, type WasmMediaEncoder } from "wasm-media-encoders";

const BITRATE_KBPS = 96;
let compiled: Parameters<typeof createEncoder>[1] | undefined;

/** Encodes as the samples come. There is no header frame with totals, so the stream can start before its length is known. */
export async function* encodeMp3(
  samples: AsyncIterable<Float32Array> | Iterable<Float32Array>,
  sampleRateHz: number,
): AsyncGenerator<Uint8Array> {
  const encoder = await loadEncoder();
  encoder.configure({ sampleRate: sampleRateHz, channels: 1, bitrate: BITRATE_KBPS });
  for await (const part of samples) {
    // Sliced, because the encoder's next call overwrites what it returned.
    const bytes = encoder.encode([part]).slice();
    if (bytes.length > 0) yield bytes;
  }
  const rest = encoder.finalize().slice();
  if (rest.length > 0) yield rest;
}

/** Compiling takes 70 ms and instantiating under one, so the compiled module is kept. */
async function loadEncoder(): Promise<WasmMediaEncoder<"audio/mpeg">> {
  if (compiled !== undefined) return createEncoder("audio/mpeg", compiled);
  const bytes = readFileSync(createRequire(import.meta.url).resolve("wasm-media-encoders/wasm/mp3"));
  return createEncoder("audio/mpeg", bytes, (module) => {
    compiled = module;
  });
}
