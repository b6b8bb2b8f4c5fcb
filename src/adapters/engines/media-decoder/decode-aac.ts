import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { readAacSettings, withAdtsHeader } from "./adts.ts";
import type { OpenTrack } from "./open-track.ts";
import type { SoundBlock } from "./sound-block.ts";
import { unreadable } from "./unreadable.ts";

type FileDecoder = typeof import("audio-file-decoder");

/** Frames of the batch before that are decoded again, so that nothing is missing where two batches meet. */
const warmUpFrames = 8;
/** More than any frame that a real encoder writes. */
const largestFrame = 8184;

/** AAC by an FFmpeg that was compiled to WebAssembly and gets nothing but bare frames, a few seconds at a time. */
export async function* decodeAac(
  { description }: OpenTrack,
  batches: AsyncIterable<Uint8Array[]>,
): AsyncGenerator<SoundBlock> {
  const settings = description ? readAacSettings(description) : undefined;
  if (description && !settings) throw unreadable("unsupported kind of AAC");
  const { decoder, wasm } = await loadDecoder();
  let before: Uint8Array[] = [];
  for await (const batch of batches) {
    const frames = batch
      .filter((frame) => frame.length > 0 && frame.length <= largestFrame)
      .map((frame) => (settings ? withAdtsHeader(frame, settings) : frame));
    if (frames.length === 0) continue;
    const all = [...before, ...frames];
    // The decoder seeks past one frame, so the first is given twice.
    const opened = await withoutListeners(() =>
      decoder.getAudioDecoder(wasm, joinBytes([all[0]!, ...all]).buffer as ArrayBuffer),
    );
    try {
      const { channelCount, sampleRate } = opened;
      const interleaved = opened.decodeAudioData(0, -1, { multiChannel: true });
      const perFrame = Math.floor(interleaved.length / channelCount / all.length);
      yield { channels: separate(interleaved, channelCount, before.length * perFrame), sampleRateHz: sampleRate };
    } finally {
      opened.dispose();
    }
    before = frames.slice(-warmUpFrames);
  }
}

let loaded: { decoder: FileDecoder; wasm: string } | undefined;

async function loadDecoder(): Promise<{ decoder: FileDecoder; wasm: string }> {
  if (loaded) return loaded;
  const require = createRequire(import.meta.url);
  const module = require.resolve("audio-file-decoder");
  // It was written for browsers and for CommonJS; this is what it looks for when it finds itself in Node.
  Object.assign(globalThis, { require, __dirname: dirname(module) });
  Reflect.deleteProperty(globalThis, "fetch");
  loaded = { decoder: await import("audio-file-decoder"), wasm: join(dirname(module), "..", "decode-audio.wasm") };
  return loaded;
}

/** Each decoder wants to hear of every failure of this process, and would be kept alive by that. */
async function withoutListeners<Result>(make: () => Promise<Result>): Promise<Result> {
  const events = ["uncaughtException", "unhandledRejection"] as const;
  const before = new Set(events.flatMap((event) => process.listeners(event as "exit")));
  const made = await make();
  for (const event of events) {
    for (const listener of process.listeners(event as "exit")) {
      if (!before.has(listener)) process.removeListener(event, listener);
    }
  }
  return made;
}

function separate(interleaved: Float32Array, channelCount: number, skip: number): Float32Array[] {
  const length = Math.max(0, Math.floor(interleaved.length / channelCount) - skip);
  return Array.from({ length: channelCount }, (_, channel) => {
    const plane = new Float32Array(length);
    for (let i = 0; i < length; i++) plane[i] = interleaved[(i + skip) * channelCount + channel]!;
    return plane;
  });
}

function joinBytes(parts: readonly Uint8Array[]): Uint8Array {
  const joined = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let offset = 0;
  for (const part of parts) {
    joined.set(part, offset);
    offset += part.length;
  }
  return joined;
}
