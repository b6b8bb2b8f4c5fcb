import type { Log } from "../../../platform/log.ts";
import { siblingModule } from "../../../platform/sibling-module.ts";
import type { EngineHost } from "../../../ports/engine-host.ts";
import { type DecodeRequest, LONGEST_AUDIO_SECONDS, type MediaDecoder } from "../../../ports/media-decoder.ts";
import { createEngineHost } from "../host/create-engine-host.ts";
import { memoryFolder } from "./memory-folder.ts";
import { readAhead } from "./read-ahead.ts";
import { unreadable } from "./unreadable.ts";

export interface MediaDecoderOptions {
  readonly log: Log;
  readonly children: number;
  /** An ffmpeg to use instead of the built-in decoders. */
  readonly ffmpeg?: string | undefined;
  /** A file that gives no ten seconds of sound within this time is given up. */
  readonly stallMs?: number;
  readonly longestSeconds?: number;
}

export interface HostedMediaDecoder extends MediaDecoder {
  readonly host: EngineHost;
}

/** Every file is decoded by a fresh process that ends with it, so that nothing of it can reach the next. */
export function createMediaDecoder(options: MediaDecoderOptions): HostedMediaDecoder {
  const { log, children, ffmpeg, stallMs = 30_000, longestSeconds = LONGEST_AUDIO_SECONDS } = options;
  const host = createEngineHost({
    name: "media-decoder",
    module: siblingModule(import.meta.url, ffmpeg ? "./ffmpeg-child" : "./child"),
    settings: () => ({ ffmpeg, longestSeconds }),
    cage: ffmpeg ? { runs: ffmpeg, writes: [memoryFolder] } : {},
    children,
    retireAfterJobs: 1,
    queueLimit: 64,
    // A long recording is decoded as fast as it is heard; what stands still is stopped below.
    deadlineMs: 3_600_000,
    cancelGraceMs: 200,
    memoryLimitMb: 1024,
    heapLimitMb: 512,
    niceness: 10,
    log,
  });

  function decode({ bytes, key, flow }: DecodeRequest, signal: AbortSignal): AsyncIterable<Int16Array> {
    const giveUp = new AbortController();
    const job = { key, flow, size: bytes.length, signal: AbortSignal.any([signal, giveUp.signal]) };
    const chunks = host.run<Int16Array>("decode", { bytes }, job);
    return readAhead(chunks, { stallMs, onStall: () => giveUp.abort(unreadable("decoding it takes too long")) });
  }

  return { host, decode };
}
