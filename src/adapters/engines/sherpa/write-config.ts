import { dirname } from "node:path";
import type { Kind } from "./kinds.ts";
import type { Recognised } from "./recognise-folder.ts";

/** Those whose decoder is told which language to write. */
const languageFields: Readonly<Record<string, string>> = {
  whisper: "language",
  senseVoice: "language",
  cohereTranscribe: "language",
  canary: "srcLang",
};

export function isToldTheLanguage({ config }: Kind): boolean {
  return config !== undefined && languageFields[config] !== undefined;
}

/** A recogniser's configuration in the words of sherpa-onnx. Undefined as a language lets the model find out. */
export function hearingConfig(
  { kind, files, metadata }: Recognised,
  threads: number,
  language: string | undefined,
): object {
  const { tokens, ...graphs } = files;
  const field = languageFields[kind.config!];
  const told = field === undefined ? {} : { [field]: language ?? "" };
  // Canary translates into what it is told to write.
  const target = kind.config === "canary" ? { srcLang: language ?? "en", tgtLang: language ?? "en" } : {};
  const isNemo = kind.config === "transducer" && /EncDec|nemo|parakeet/i.test([...metadata.values()].join(" "));
  return {
    featConfig: { sampleRate: 16_000, featureDim: 80 },
    modelConfig: {
      [kind.config!]: { ...graphs, ...kind.fixed, ...told, ...target },
      tokens,
      numThreads: threads,
      provider: "cpu",
      debug: 0,
      ...(isNemo ? { modelType: "nemo_transducer" } : {}),
    },
  };
}

/** A voice's configuration. `espeak` is where the data of the phonemizer is when the folder brings none. */
export function speechConfig({ kind, files }: Recognised, threads: number, espeak: string): object {
  const { settings: _settings, dataDir, ...paths } = files;
  const needsEspeak = ["vits", "kokoro", "kitten", "matcha", "zipvoice"].includes(kind.config!);
  const data = dataDir ? dirname(dataDir) : espeak;
  return {
    model: {
      [kind.config!]: { ...paths, ...(needsEspeak ? { dataDir: data } : {}) },
      numThreads: threads,
      provider: "cpu",
      debug: false,
    },
    maxNumSentences: 1,
  };
}
