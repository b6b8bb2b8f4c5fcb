import { fromPcm16 } from "../../../../../src/audio/pcm.ts";
import { wavHeader } from "../../../../../src/audio/wav.ts";
import { jsonRequest } from "../../../api/call-service.ts";
import { createLivePlayer, type LivePlayer } from "../kit/live-player.ts";
import type { Service } from "../kit/use-service.ts";

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
}

export function speechBody({ text, language, voice, speed, format }: SpeechWanted) {
  return { text, language, voice, speed, format, stream: true };
}

/** How many bytes stand before the samples. */
const headerBytes = { wav: 44, pcm: 0 };

/** Speaks. WAV and PCM are heard while they arrive: `onStart` gets the player, `onGrow` the samples so far. */
export async function speak(
  voice: Service,
  wanted: SpeechWanted,
  signal: AbortSignal,
  { onStart, onGrow }: { onStart(player: LivePlayer): void; onGrow(samples: Float32Array, sampleRateHz: number): void },
): Promise<Spoken> {
  const response = await voice.send("/v1/speech", { ...jsonRequest(speechBody(wanted)), signal });
  const { format } = wanted;
  if (format === "mp3" || format === "opus") {
    const file = await response.blob();
    const context = new AudioContext();
    const decoded = await context.decodeAudioData(await file.arrayBuffer());
    await context.close();
    return { samples: decoded.getChannelData(0), sampleRateHz: decoded.sampleRate, playable: file, file };
  }
  const sampleRateHz = Number(response.headers.get("x-svc-sample-rate"));
  const player = createLivePlayer(sampleRateHz);
  signal.addEventListener("abort", () => player.stop());
  onStart(player);
  const bytes = await readAll(response, headerBytes[format], (all, from) => {
    player.push(fromPcm16(all.subarray(from)));
    onGrow(fromPcm16(all), sampleRateHz);
  });
  const wav = new Blob([wavHeader({ sampleRateHz }, bytes.length) as BlobPart, bytes as BlobPart], {
    type: "audio/wav",
  });
  const file = format === "wav" ? wav : new Blob([bytes as BlobPart], { type: "audio/pcm" });
  return { samples: fromPcm16(bytes), sampleRateHz, playable: wav, file };
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
