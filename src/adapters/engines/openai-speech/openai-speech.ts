import type { AudioChunk } from "../../../audio/pcm.ts";
import { resample } from "../../../audio/resample.ts";
import { trimSilence } from "../../../audio/trim.ts";
import { readWav } from "../../../audio/wav.ts";
import { Problem } from "../../../platform/errors.ts";
import { withoutPronunciations } from "../../../ports/inline-pronunciation.ts";
import type { SpeechEngine, SpeechRequest, SpokenLanguage } from "../../../ports/speech-engine.ts";
import type { RemoteAddress } from "./parse-address.ts";

export interface OpenAiSpeechOptions extends RemoteAddress {
  readonly apiKey?: string | undefined;
  /** What it is asked for; voice ids are passed on as they are. */
  readonly languages: () => readonly SpokenLanguage[];
  /** For the answer to one stretch of text, from asking to its last byte. */
  readonly timeoutMs?: number;
  /** Further fields of a request. */
  readonly describe?: (request: SpeechRequest) => object;
}

const MOST_BYTES = 64 * 1024 * 1024;
const SAMPLE_RATES_HZ = { engine_a: 24000, engine_b: 16000 } as const;

/** Speech by an OpenAI-compatible server. */
export function createOpenAiSpeech(options: OpenAiSpeechOptions): SpeechEngine {
  const { baseUrl, model, apiKey, languages, timeoutMs = 60_000 } = options;
  const sampleRateHz = (code: string) =>
    SAMPLE_RATES_HZ[languages().find((language) => language.code === code)?.engine ?? "engine_a"];

  async function* speak(request: SpeechRequest, signal: AbortSignal): AsyncIterable<AudioChunk> {
    const deadline = AbortSignal.timeout(timeoutMs);
    const wav = await ask(request, AbortSignal.any([signal, deadline])).catch((error: unknown) => {
      signal.throwIfAborted();
      if (error instanceof Problem) throw error;
      const what = deadline.aborted ? `did not answer within ${Math.round(timeoutMs / 1000)} s` : "cannot be reached";
      throw new Problem("engine_unavailable", `The speech server ${what}.`, { cause: error });
    });
    const decoded = readWav(wav);
    if (decoded === undefined || decoded.sampleRateHz < 4000 || decoded.sampleRateHz > 192_000) {
      throw new Problem(
        "engine_unavailable",
        "The speech server sent something that is not 16-bit or float WAV audio.",
      );
    }
    const rate = sampleRateHz(request.language);
    const samples = trimSilence(resample(decoded.samples, decoded.sampleRateHz, rate), rate);
    if (samples.length > 0) yield { samples, sampleRateHz: rate };
  }

  async function ask(request: SpeechRequest, signal: AbortSignal): Promise<Uint8Array> {
    const response = await fetch(`${baseUrl}/audio/speech`, {
      method: "POST",
      headers: { "content-type": "application/json", ...(apiKey ? { authorization: `Bearer ${apiKey}` } : {}) },
      body: JSON.stringify({
        model,
        input: withoutPronunciations(request.text),
        voice: request.voice,
        speed: request.speed,
        response_format: "wav",
        ...options.describe?.(request),
      }),
      signal,
    });
    if (!response.ok) throw await refusal(response);
    return readLimited(response);
  }

  return { languages, sampleRateHz, speak };
}

async function refusal(response: Response): Promise<Problem> {
  const cause = new Error(`status ${response.status}: ${(await response.text().catch(() => "")).slice(0, 500)}`);
  if (response.status === 429) {
    const seconds = Number(response.headers.get("retry-after"));
    const retryAfterSeconds = Number.isFinite(seconds) && seconds > 0 ? Math.ceil(seconds) : 5;
    return new Problem("engine_busy", "The speech server is busy. Try again later.", { cause, retryAfterSeconds });
  }
  return new Problem("engine_unavailable", `The speech server answered ${response.status}.`, { cause });
}

/** A server that never stops sending must not fill the memory. */
async function readLimited(response: Response): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of response.body ?? []) {
    bytes += part.length;
    if (bytes > MOST_BYTES) throw new Problem("engine_unavailable", "The speech server sent too much audio.");
    parts.push(part);
  }
  return Buffer.concat(parts);
}
