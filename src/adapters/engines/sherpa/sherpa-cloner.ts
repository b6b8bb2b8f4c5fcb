import { z } from "zod";
import { fromPcm16, toPcm16 } from "../../../audio/pcm.ts";
import { Problem } from "../../../platform/errors.ts";
import type { EngineHost } from "../../../ports/engine-host.ts";
import { withoutPronunciations } from "../../../ports/inline-pronunciation.ts";
import { HEARING_RATE_HZ } from "../../../ports/voice-activity.ts";
import type { ClonedVoice, VoiceCloner } from "../../../ports/voice-cloner.ts";
import { finishWave, modelSpeed } from "../speech-local/finish-wave.ts";
import { platformCodes } from "./platform-codes.ts";
import { createSpeechHost, type SherpaSpeechOptions } from "./sherpa-speech.ts";
import type { SherpaSpeechJob, SherpaSpoken } from "./speech-child.ts";

export interface SherpaClonerOptions extends SherpaSpeechOptions {
  /** Speaks the languages that the model does not. */
  readonly other: VoiceCloner;
  /** The rate of everything that is spoken in a language. */
  readonly sampleRateHz: (language: string) => number;
}

export interface SherpaCloner extends VoiceCloner {
  readonly host: EngineHost;
}

const voiceData = z.object({
  clip: z.string(),
  text: z.string(),
  other: z.object({ maker: z.string(), data: z.record(z.string(), z.unknown()) }),
});

/** Voices by a model that speaks like a clip (ZipVoice, Pocket), and by another cloner in all other languages. */
export function createSherpaCloner(options: SherpaClonerOptions): SherpaCloner {
  const { folder, other, sampleRateHz } = options;
  const host = createSpeechHost(options);
  const maker = `sherpa:${folder.name}`;
  const codes = platformCodes(folder.languages.flatMap((code) => [code, code.split("-")[0]!]));
  const serves = (language: string) => codes.includes(language);

  return {
    host,
    name: maker,
    missing: () => other.missing(),
    match: (language) => (serves(language) ? "voice" : other.match(language)),
    async clone(request, signal) {
      const made = await other.clone(request, signal);
      const clip = Buffer.from(toPcm16(request.samples)).toString("base64");
      return { maker, data: { clip, text: request.text ?? "", other: made } };
    },
    async *speak(request, voice, signal) {
      if (voice.maker === other.name) return yield* other.speak(request, voice, signal);
      if (voice.maker !== maker) {
        throw new Problem("engine_unavailable", `This voice was made by another cloner ("${voice.maker}").`);
      }
      const { clip, text: said, other: made } = voiceData.parse(voice.data);
      if (!serves(request.language)) return yield* other.speak(request, made as ClonedVoice, signal);
      const text = withoutPronunciations(request.text);
      if (!/[\p{L}\p{N}]/u.test(text)) return;
      const samples = fromPcm16(Buffer.from(clip, "base64"));
      const job: SherpaSpeechJob = {
        text,
        speaker: 0,
        speed: modelSpeed(request.speed),
        clip: { samples, sampleRateHz: HEARING_RATE_HZ, text: said },
      };
      const { key, flow } = request;
      const spoken = await host.ask<SherpaSpoken>("speak", job, { key, flow, size: text.length, signal });
      signal.throwIfAborted();
      const rate = sampleRateHz(request.language);
      const finished = await finishWave(
        spoken.samples,
        { sampleRateHz: spoken.sampleRateHz, speed: request.speed },
        rate,
      );
      if (finished.length > 0) yield { samples: finished, sampleRateHz: rate };
    },
  };
}
