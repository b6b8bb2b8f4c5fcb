import { AUDIO_CONTENT_TYPES, type AudioFormat } from "../audio/encode.ts";
import { table } from "../platform/table.ts";
import type { LocalSpeechModel } from "../ports/local-models.ts";
import type { SpeechEngine } from "../ports/speech-engine.ts";
import { encodeStarted, startSpeech } from "../voice/speech/synthesize.ts";
import { nameOf } from "./local-model-name.ts";

/** The voices that OpenAI's clients know by name. */
const openAiVoices: Readonly<Record<string, string>> = table({
  alloy: "af_alloy",
  echo: "am_echo",
  fable: "bm_fable",
  onyx: "am_onyx",
  nova: "af_nova",
  shimmer: "af_bella",
});

/** The voice platform's speech, as a model of the gateway. */
export function speechModel(engine: SpeechEngine): LocalSpeechModel {
  return {
    type: "speech",
    id: nameOf(engine.modelName, "kokoro-82m"),
    name: "Parlance speech",
    description: "The voices of this server's own voice platform. voice takes OpenAI's names or any id of its catalog.",
    formats: Object.keys(AUDIO_CONTENT_TYPES),
    async speak({ text, voice: named = "alloy", format, speed, key }, signal) {
      const voice = openAiVoices[named] ?? named;
      const language = engine.languages().find(({ voices }) => voices.some(({ id }) => id === voice))?.code;
      // The range of the platform's own voices is narrower than OpenAI's.
      const wanted = { text, language, voice, speed: Math.max(0.5, Math.min(2, speed)) };
      const speech = startSpeech(engine, wanted, { turn: key }, signal);
      return {
        contentType: AUDIO_CONTENT_TYPES[format as AudioFormat],
        audio: encodeStarted(speech, format as AudioFormat),
      };
    },
  };
}
