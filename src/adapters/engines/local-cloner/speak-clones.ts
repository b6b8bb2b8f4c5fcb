import type { SpeechEngine } from "../../../ports/speech-engine.ts";
import type { VoiceCloner } from "../../../ports/voice-cloner.ts";

/** A speech engine that speaks with cloned voices too, so that callers never know who speaks. */
export function speakClones(engine: SpeechEngine, cloner: VoiceCloner): SpeechEngine {
  return {
    ...(engine.modelName === undefined ? {} : { modelName: engine.modelName }),
    languages: () => engine.languages(),
    sampleRateHz: (language) => engine.sampleRateHz(language),
    speak: (request, signal) =>
      request.clone ? cloner.speak(request, request.clone, signal) : engine.speak(request, signal),
  };
}
