import { speechCatalog } from "../../src/adapters/engines/speech-local/catalog.ts";
import { resample } from "../../src/audio/resample.ts";
import type { SpeechEngine } from "../../src/ports/speech-engine.ts";
import { finishSpeech } from "../../src/voice/speech/synthesize.ts";
import { countWordErrors, createListener, toWords } from "../../tests/support/listener.ts";
import { lacksModels, modelStore } from "../../tests/support/local-speech.ts";

const SENTENCES = [
  "The old train crossed the narrow bridge just before the storm arrived.",
  "She asked whether the museum would be open on Sunday afternoon.",
  "Please remember to water the plants twice a week while we are away.",
  "The train was late.",
  "His brother lives near the river, as far as we know.",
];

/** Speaks sentences with every English voice (or those whose id begins like this) and counts the words that a recogniser hears otherwise. */
export async function countWrongWords(engine: SpeechEngine, sentences: number, begin = ""): Promise<void> {
  if (lacksModels("moonshine-base-en")) return;
  const listen = await createListener(modelStore.folder("moonshine-base-en"));
  let wrong = 0;
  let words = 0;
  for (const { code, voices } of speechCatalog.filter((language) => language.code.startsWith("en-"))) {
    for (const { id } of voices.filter((voice) => voice.id.startsWith(begin))) {
      for (const text of SENTENCES.slice(0, sentences)) {
        const speech = await finishSpeech(
          engine,
          { text, language: code, voice: id },
          { workspaceId: "w", keyId: "bench" },
          new AbortController().signal,
        );
        const heard = await listen(resample(speech.samples, speech.sampleRateHz, 16000));
        const errors = countWordErrors(text, heard);
        if (errors > 0) console.log(`  ${id}: ${errors} wrong in "${heard}"`);
        wrong += errors;
        words += toWords(text).length;
      }
    }
  }
  console.log(
    `\nround trip over ${begin === "" ? "all English voices" : `the English voices ${begin}...`}: ${wrong} of ${words} words wrong (${((100 * wrong) / words).toFixed(2)} %)`,
  );
}
