import { Problem } from "../../../platform/errors.ts";
import type { SpeechEngine, SpokenLanguage } from "../../../ports/speech-engine.ts";
import type { Spread } from "./spread.ts";

/** Speech by this machine, where it has an engine, and by workers. */
export function spreadSpeech(spread: Spread, local: SpeechEngine | undefined): SpeechEngine {
  const elsewhere = () => spread.catalogs().flatMap(({ speech }) => speech?.languages ?? []);
  return {
    languages() {
      const all = new Map<string, SpokenLanguage>();
      for (const { code, label, engine, voices } of [...(local?.languages() ?? []), ...elsewhere()]) {
        const known = all.get(code);
        const ids = new Set(known?.voices.map(({ id }) => id));
        const more = voices.filter(({ id }) => !ids.has(id));
        all.set(code, known ? { ...known, voices: [...known.voices, ...more] } : { code, label, engine, voices });
      }
      return [...all.values()];
    },
    sampleRateHz(code) {
      if (local?.languages().some((language) => language.code === code)) return local.sampleRateHz(code);
      const known = elsewhere().find((language) => language.code === code);
      if (known) return known.sampleRateHz;
      if (local) return local.sampleRateHz(code);
      throw new Problem("engine_unavailable", `No machine that speaks "${code}" is there. Try again.`);
    },
    speak(request, signal) {
      const { voice, language } = request;
      const isHere = local?.languages().some(({ code, voices }) => code === language && has(voices, voice));
      const isElsewhere = elsewhere().some(({ code, voices }) => code === language && has(voices, voice));
      // An engine of this machine knows best what to say about a voice that nobody has.
      const here = local && (isHere || !isElsewhere) ? () => local.speak(request, signal) : undefined;
      const lane = { engine: "speech", model: voice, language } as const;
      return spread.stream({ lane, operation: "speech.speak", input: request, signal }, here);
    },
  };
}

function has(voices: SpokenLanguage["voices"], voice: string): boolean {
  return voices.some(({ id }) => id === voice);
}
