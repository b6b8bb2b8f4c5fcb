import type { OutputFormat } from "mediabunny";
import { toPcm16 } from "./pcm.ts";

/** Of speech, as OpenAI's own. */
const AAC_BITRATE = 64_000;

/** Encodes as AAC in ADTS frames, or as FLAC, while the samples come. The encoders work in a thread of their own and are large, so
 *  they are loaded when they are first asked for. */
export async function* encodeMedia(
  codec: "aac" | "flac",
  samples: AsyncIterable<Float32Array> | Iterable<Float32Array>,
  sampleRateHz: number,
): AsyncGenerator<Uint8Array> {
  const { AudioSample, AudioSampleSource, Output, StreamTarget } = await import("mediabunny");
  const ready: Uint8Array[] = [];
  let written = 0;
  const target = new StreamTarget(
    new WritableStream({
      write({ data, position }) {
        // FLAC's head is left blank and written at the end, when it has long left.
        if (position < written) return;
        if (codec === "flac" && position === 0) data.set(flacHead(sampleRateHz));
        written = position + data.length;
        ready.push(data);
      },
    }),
  );
  const output = new Output({ format: await prepare(codec), target });
  const source = new AudioSampleSource(codec === "aac" ? { codec, bitrate: AAC_BITRATE } : { codec });
  output.addAudioTrack(source);
  let sent = 0;
  try {
    await output.start();
    for await (const part of samples) {
      if (part.length === 0) continue;
      const about = { numberOfChannels: 1, sampleRate: sampleRateHz, timestamp: sent / sampleRateHz };
      const sample = new AudioSample({ ...about, data: toPcm16(part), format: "s16" });
      sent += part.length;
      await source.add(sample);
      sample.close();
      yield* ready.splice(0);
    }
    if (sent > 0) await output.finalize();
    yield* ready.splice(0);
  } finally {
    if (output.state !== "finalized") await output.cancel();
  }
}

/** What libFLAC takes for a block by default, in samples. */
const FLAC_BLOCK = 4096;

/** Mono of 16 bits and of unknown length (RFC 9639, 8.2). */
function flacHead(sampleRateHz: number): Buffer {
  const head = Buffer.alloc(42);
  head.write("fLaC");
  // The last block of metadata, of 34 bytes.
  head.writeUInt32BE(0x8000_0022, 4);
  head.writeUInt16BE(FLAC_BLOCK, 8);
  head.writeUInt16BE(FLAC_BLOCK, 10);
  // 20 bits of rate, 3 of channels less one, 5 of bits a sample less one, 4 of the length.
  head.writeUInt32BE(sampleRateHz * 4096 + 15 * 16, 18);
  return head;
}

const registered = new Set<string>();

async function prepare(codec: "aac" | "flac"): Promise<OutputFormat> {
  const { AdtsOutputFormat, FlacOutputFormat } = await import("mediabunny");
  if (!registered.has(codec)) {
    registered.add(codec);
    if (codec === "aac") (await import("@mediabunny/aac-encoder")).registerAacEncoder();
    else (await import("@mediabunny/flac-encoder")).registerFlacEncoder();
  }
  return codec === "aac" ? new AdtsOutputFormat() : new FlacOutputFormat();
}
