import { listModels } from "../../gateway/models/list-models.ts";
import { Problem } from "../../platform/errors.ts";
import { encodeFinished, finishSpeech } from "../../voice/speech/synthesize.ts";
import type { Handlers } from "../context.ts";
import type { DashboardParts } from "../parts.ts";
import { listLanguages } from "./list-languages.ts";
import { sampleText } from "./sample-texts.ts";
import { showModel } from "./show-model.ts";

/** Samples that are kept: some 150 kB each. Later ones push the first out. */
const mostSamples = 64;
const sampleAgeSeconds = 86_400;
/** Loading a voice takes seconds on a small machine. */
const patienceMs = 60_000;

type Mine = "listModels" | "listVoices" | "playVoice" | "listLanguages" | "listEngineStates";

export function catalogHandlers(parts: DashboardParts): Handlers<Mine> {
  const { speech, gateway } = parts;
  const samples = new Map<string, Promise<Buffer>>();

  /** Spoken once, however many ask for it. */
  function sampleOf(language: string, voice: string, userId: string): Promise<Buffer> {
    const name = `${language} ${voice}`;
    let sample = samples.get(name);
    if (!sample) {
      if (samples.size >= mostSamples) samples.delete(samples.keys().next().value!);
      sample = speakSample(language, voice, userId);
      samples.set(name, sample);
      sample.catch(() => samples.delete(name));
    }
    return sample;
  }

  async function speakSample(language: string, voice: string, userId: string): Promise<Buffer> {
    const wanted = { text: sampleText(language), language, voice };
    const spoken = await finishSpeech(
      speech,
      wanted,
      { keyId: userId, workspaceId: "dashboard" },
      AbortSignal.timeout(patienceMs),
    );
    return encodeFinished(spoken, "wav");
  }

  return {
    async listModels() {
      const local = gateway.local.list().length;
      try {
        const models = await listModels(gateway);
        const isOnlyLocal = models.length === local;
        return {
          models: models.map(showModel),
          problem: isOnlyLocal
            ? "No upstream gateway answers, so only the models of this installation are listed."
            : null,
        };
      } catch (error) {
        if (error instanceof Problem) return { models: [], problem: error.message };
        throw error;
      }
    },

    async listVoices() {
      return {
        languages: speech.languages().map(({ code, label, engine, voices }) => ({
          code,
          label,
          family: engine,
          voices: voices.map((voice) => ({ id: voice.id, label: voice.label })),
        })),
      };
    },

    async playVoice({ params }, { user, reply }) {
      const language = speech.languages().find(({ code }) => code === params.language);
      const voice = language?.voices.find(({ id }) => id === params.voice);
      if (!language || !voice) throw new Problem("not_found", "There is no such voice in this language.");
      const sample = await sampleOf(language.code, voice.id, user.id);
      reply.header("cache-control", `private, max-age=${sampleAgeSeconds}`);
      return sample;
    },

    listLanguages: async () => ({ languages: listLanguages(parts) }),

    listEngineStates: async () => ({ engines: parts.engineStates() }),
  };
}
