import { z } from "zod";
import { toPcm16 } from "../../../audio/pcm.ts";
import { wavHeader } from "../../../audio/wav.ts";
import { Problem } from "../../../platform/errors.ts";
import { HEARING_RATE_HZ } from "../../../ports/voice-activity.ts";
import type { ClonedVoice, VoiceCloner } from "../../../ports/voice-cloner.ts";
import { createOpenAiSpeech, type OpenAiSpeechOptions } from "../openai-speech/openai-speech.ts";

const voiceData = z.object({ audio: z.string(), text: z.string().optional() });

/** Voices by a server that clones as it speaks: the clip goes along with every request, in the fields that vLLM-Omni's speech API
 *  takes for Qwen3-TTS, CosyVoice and the like. */
export function createOpenAiCloner(options: OpenAiSpeechOptions): VoiceCloner {
  const name = `openai:${options.model}`;
  const engine = createOpenAiSpeech({ ...options, describe: ({ clone }) => (clone ? describeClip(clone) : {}) });
  return {
    name,
    missing: () => undefined,
    match: () => "voice",
    async clone({ samples, text }) {
      const pcm = toPcm16(samples);
      const wav = Buffer.concat([wavHeader({ sampleRateHz: HEARING_RATE_HZ }, pcm.length), pcm]);
      const audio = `data:audio/wav;base64,${wav.toString("base64")}`;
      return { maker: name, data: text === undefined ? { audio } : { audio, text } };
    },
    speak(request, voice, signal) {
      if (voice.maker !== name) {
        throw new Problem("engine_unavailable", `This voice was made by another cloner ("${voice.maker}").`);
      }
      return engine.speak({ ...request, clone: voice }, signal);
    },
  };
}

function describeClip(voice: ClonedVoice): object {
  const { audio, text } = voiceData.parse(voice.data);
  return {
    task_type: "Base",
    ref_audio: audio,
    // Without the words of the clip the server goes by the sound of the voice alone.
    ...(text === undefined ? { x_vector_only_mode: true } : { ref_text: text }),
  };
}
