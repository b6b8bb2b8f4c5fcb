import initialize, { type EspeakModule, type EspeakWorker } from "@echogarden/espeak-ng-emscripten";
import { serveChild } from "../host/serve-child.ts";
import { readPhonemes } from "./read-phonemes.ts";

// espeak-ng is GPL: it lives in this process alone, and nothing here is imported by the server.

interface Espeak {
  readonly module: EspeakModule;
  readonly worker: EspeakWorker;
  voice: string;
}

serveChild({
  async load(): Promise<Espeak> {
    const module = await initialize();
    return { module, worker: new module.eSpeakNGWorker(), voice: "" };
  },
  tasks: {
    async *phonemize(input: { texts: string[]; voice: string }, espeak: Espeak) {
      if (espeak.voice !== input.voice) {
        espeak.voice = "";
        const identifier = findVoice(espeak.worker, input.voice);
        if (identifier === undefined || espeak.worker.set_voice(identifier) !== 0) {
          throw new Error(`espeak-ng has no voice "${input.voice}"`);
        }
        espeak.voice = input.voice;
      }
      yield input.texts.map((text) => readPhonemes(speakOut(espeak, text)));
    },
  },
});

/** Voices are files ("roa/pt-BR") that name the languages they serve; a file of the language's own name comes first. */
function findVoice(worker: EspeakWorker, language: string): string | undefined {
  const voices = worker.list_voices();
  const fileOf = (identifier: string) => identifier.slice(identifier.lastIndexOf("/") + 1);
  const found =
    voices.find((voice) => fileOf(voice.identifier).toLowerCase() === language) ??
    voices.find((voice) => voice.languages[0]?.name === language) ??
    voices.find((voice) => voice.languages.some(({ name }) => name === language));
  return found && fileOf(found.identifier);
}

function speakOut({ module, worker }: Espeak, text: string): string {
  const { ptr } = worker.text_to_phonemes(text, 1);
  const bytes = module.HEAPU8;
  let end = ptr;
  while (bytes[end] !== 0) end++;
  return Buffer.from(bytes.subarray(ptr, end)).toString("utf8");
}
