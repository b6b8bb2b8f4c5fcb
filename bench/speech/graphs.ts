import { join } from "node:path";
import { InferenceSession } from "onnxruntime-node";
import { KOKORO_GRAPH } from "../../src/adapters/engines/kokoro/files.ts";
import { toSymbolIds } from "../../src/adapters/engines/kokoro/symbols.ts";
import { speechCatalog } from "../../src/adapters/engines/speech-local/catalog.ts";
import { pronounce } from "../../src/adapters/engines/speech-local/pronounce.ts";
import { folderForProcessor } from "../../src/adapters/models/model-folder.ts";
import { melDistance } from "../../src/audio/mel.ts";
import { resample } from "../../src/audio/resample.ts";
import { countWordErrors, createListener, toWords } from "../../tests/support/listener.ts";
import { lacksModels, modelStore, openLocalSpeech, speechModels } from "../../tests/support/local-speech.ts";
import { runKokoro } from "./reference.ts";

/**
 * Is the distance that chooses a graph a sound stand-in for its words? Every English and Spanish voice of Kokoro speaks one
 * sentence with the shipped graph and with the chosen one; a recogniser writes both down, and the distance is measured.
 */
const TEXTS: Readonly<Record<string, string>> = {
  en: "She asked whether the museum would be open on Sunday afternoon.",
  es: "Mañana por la mañana vamos a visitar la casa de mi hermano en el campo.",
};
const nobody = new AbortController().signal;

if (lacksModels(...speechModels, "moonshine-base-en", "moonshine-base-es")) process.exit(1);
const folder = modelStore.folder("kokoro-82m");
const shipped = await InferenceSession.create(join(folder, "kokoro-quantized.onnx"), { intraOpNumThreads: 1 });
const chosen = await InferenceSession.create(join(folderForProcessor(folder, KOKORO_GRAPH), KOKORO_GRAPH), {
  intraOpNumThreads: 1,
});
const local = openLocalSpeech();
const wrong = { shipped: 0, chosen: 0, words: 0, differ: 0 };
let [farthest, farthestVoice, voiceCount] = [0, "", 0];
for (const { code, voices } of speechCatalog) {
  const base = code.split("-")[0]!;
  const text = TEXTS[base];
  if (text === undefined) continue;
  const listen = await createListener(modelStore.folder(`moonshine-base-${base}`));
  const job = { key: "bench", flow: "bench", signal: nobody };
  const ids = toSymbolIds(await pronounce(text, code, local.kokoro.spelling, local.phonemizer, job));
  for (const voice of voices.filter(({ model }) => model === "kokoro")) {
    const [before, after] = [await runKokoro(shipped, ids, voice.name), await runKokoro(chosen, ids, voice.name)];
    const [heardBefore, heardAfter] = [
      await listen(resample(before, 24000, 16000)),
      await listen(resample(after, 24000, 16000)),
    ];
    const [errorsBefore, errorsAfter] = [countWordErrors(text, heardBefore), countWordErrors(text, heardAfter)];
    const distance = melDistance(after, before, 24000);
    if (distance > farthest) [farthest, farthestVoice] = [distance, voice.id];
    if (errorsBefore + errorsAfter > 0) {
      console.log(`  ${voice.id}: shipped ${errorsBefore} "${heardBefore}", chosen ${errorsAfter} "${heardAfter}"`);
    }
    wrong.shipped += errorsBefore;
    wrong.chosen += errorsAfter;
    wrong.differ += countWordErrors(heardBefore, heardAfter);
    wrong.words += toWords(text).length;
    voiceCount++;
  }
}
await local.close();
console.log(
  `${voiceCount} voices, ${wrong.words} words: wrong with the shipped graph ${wrong.shipped}, with the chosen one ${wrong.chosen}; heard differently ${wrong.differ}; largest distance ${farthest.toFixed(2)} dB (${farthestVoice})`,
);
