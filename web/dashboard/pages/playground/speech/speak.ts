import { fromPcm16, joinSamples } from "../../../../../src/audio/pcm.ts";
import { wavHeader } from "../../../../../src/audio/wav.ts";
import { jsonRequest } from "../../../api/call-service.ts";
import { createLivePlayer, type LivePlayer } from "../kit/live-player.ts";
import type { Service } from "../kit/use-service.ts";
import { canDecodeArriving, decodeArriving } from "./decode-arriving.ts";

export interface SpeechWanted {
  text: string;
  language: string;
  voice: string;
  speed: number;
  format: "wav" | "mp3" | "pcm" | "opus";
}

export interface Spoken {
  samples: Float32Array;
  sampleRateHz: number;
  /** What a player plays: browsers play no bare PCM, so that becomes WAV. */
  playable: Blob;
  /** The file as it was asked for. */
  file: Blob;
  /** It was played while it arrived. */
  isHeard: boolean;
}

interface Listener {
  onStart(player: LivePlayer): void;
  onGrow(samples: Float32Array, sampleRateHz: number): void;
}

export function speechBody({ text, language, voice, speed, format }: SpeechWanted) {
  return { text, language, voice, speed, format, stream: true };
}

/** How many bytes stand before the samples. */
const headerBytes = { wav: 44, pcm: 0 };

/** Speaks, and is heard while it arrives: `onStart` gets the player, `onGrow` the samples so far. */
export async function speak(
  voice: Service,
  wanted: SpeechWanted,
  signal: AbortSignal,
  listener: Listener,
): Promise<Spoken> {
  const response = await voice.send("/v1/speech", { ...jsonRequest(speechBody(wanted)), signal });
  const { format } = wanted;
  return format === "mp3" || format === "opus"
    ? hearCompressed(response, signal, listener)
    : hearSamples(response, format, signal, listener);
}

async function hearSamples(
  response: Response,
  format: "wav" | "pcm",
  signal: AbortSignal,
  { onStart, onGrow }: Listener,
): Promise<Spoken> {
  const sampleRateHz = Number(response.headers.get("x-svc-sample-rate"));
  const player = startPlayer(sampleRateHz, signal);
  onStart(player);
  const bytes = await readAll(response, headerBytes[format], (all, from) => {
    player.push(fromPcm16(all.subarray(from)));
    onGrow(fromPcm16(all), sampleRateHz);
  });
  const wav = new Blob([wavHeader({ sampleRateHz }, bytes.length) as BlobPart, bytes as BlobPart], {
    type: "audio/wav",
  });
  const file = format === "wav" ? wav : new Blob([bytes as BlobPart], { type: "audio/pcm" });
  return { samples: fromPcm16(bytes), sampleRateHz, playable: wav, file, isHeard: true };
}

async function hearCompressed(response: Response, signal: AbortSignal, listener: Listener): Promise<Spoken> {
  const [toHear, toKeep] = response.body!.tee();
  const kept = new Response(toKeep, { headers: { "content-type": response.headers.get("content-type") ?? "" } }).blob();
  const heard = canDecodeArriving() ? await playArriving(toHear, signal, listener) : undefined;
  const file = await kept;
  const sound = heard ?? (await decodeWhole(file));
  return { ...sound, playable: file, file, isHeard: heard !== undefined };
}

/** Undefined where the browser has no decoder for it; then the whole file is decoded. */
async function playArriving(stream: ReadableStream<Uint8Array>, signal: AbortSignal, { onStart, onGrow }: Listener) {
  let player: LivePlayer | undefined;
  let samples = new Float32Array(0);
  let sampleRateHz = 0;
  try {
    for await (const part of decodeArriving(stream)) {
      sampleRateHz = part.sampleRateHz;
      if (!player) {
        player = startPlayer(sampleRateHz, signal);
        onStart(player);
      }
      player.push(part.samples);
      samples = joinSamples([samples, part.samples]) as Float32Array<ArrayBuffer>;
      onGrow(samples, sampleRateHz);
    }
  } catch {
    signal.throwIfAborted();
    player?.stop();
    return undefined;
  }
  return player && { samples, sampleRateHz };
}

function startPlayer(sampleRateHz: number, signal: AbortSignal): LivePlayer {
  const player = createLivePlayer(sampleRateHz);
  signal.addEventListener("abort", () => player.stop());
  return player;
}

async function decodeWhole(file: Blob) {
  const context = new AudioContext();
  const decoded = await context.decodeAudioData(await file.arrayBuffer());
  await context.close();
  return { samples: decoded.getChannelData(0), sampleRateHz: decoded.sampleRate };
}

/** Reads a body of 16-bit samples after `skip` bytes; `onPart` gets whole samples only. */
async function readAll(
  response: Response,
  skip: number,
  onPart: (all: Uint8Array, from: number) => void,
): Promise<Uint8Array> {
  let all = new Uint8Array(0);
  let told = 0;
  const reader = response.body!.getReader();
  for (let left = skip; ; ) {
    const { done, value } = await reader.read();
    if (done) return all;
    const part = value.subarray(Math.min(left, value.length));
    left -= value.length - part.length;
    const grown = new Uint8Array(all.length + part.length);
    grown.set(all);
    grown.set(part, all.length);
    all = grown;
    const whole = all.length - (all.length % 2);
    if (whole > told) onPart(all.subarray(0, whole), told);
    told = whole;
  }
}
