import { writeFileSync } from "node:fs";
import { measureSound } from "../../src/adapters/engines/local-cloner/match-sound.ts";
import type { StockVoice } from "../../src/adapters/engines/local-cloner/voice-map.ts";
import { speechCatalog } from "../../src/adapters/engines/speech-local/catalog.ts";
import { pronounce } from "../../src/adapters/engines/speech-local/pronounce.ts";
import { createXvector } from "../../src/adapters/engines/xvector/xvector.ts";
import { resample } from "../../src/audio/resample.ts";
import { trimSilence } from "../../src/audio/trim.ts";
import { silentLog } from "../../src/platform/log.ts";
import { HEARING_RATE_HZ } from "../../src/ports/voice-activity.ts";
import { modelStore, openLocalSpeech } from "../../tests/support/local-speech.ts";

/** Measures how the trained voices of languages other than English sound, for clones that have to be content with the nearest.
 *  Writes models/voice-map/stock-voices.json. */
const TEXT = "Mañana vamos a visitar el museo de la ciudad, y después comemos juntos cerca del río.";

const RATE_HZ = 24_000;
const speech = openLocalSpeech();
const printer = createXvector({ models: modelStore, log: silentLog });
const signal = new AbortController().signal;
const names = new Set(
  speechCatalog
    .filter(({ code }) => !code.startsWith("en"))
    .flatMap(({ voices }) => voices.filter(({ model }) => model === "kokoro").map(({ id }) => id)),
);
// Every voice speaks the same Spanish sentence, so that only the voice differs.
const job = { key: "bench", flow: "bench", signal };
const symbols = await pronounce(TEXT, "es", speech.kokoro.spelling, speech.phonemizer, job);
const stock: Record<string, StockVoice> = {};
const rounded = (values: Iterable<number>, digits: number) =>
  Array.from(values, (value) => Number(value.toFixed(digits)));
for (const voice of names) {
  const wave = trimSilence(await speech.kokoro.synthesize({ symbols, voice, speed: 1 }, job), RATE_HZ);
  const print = await printer.print(
    { samples: resample(wave, RATE_HZ, HEARING_RATE_HZ), key: "bench", flow: "bench" },
    signal,
  );
  const sound = measureSound(wave, RATE_HZ)!;
  const timbre = { hertz: rounded(sound.timbre.hertz, 1), decibels: rounded(sound.timbre.decibels, 2) };
  stock[voice] = {
    medianHz: Number(sound.medianHz.toFixed(1)),
    rangeSemitones: Number(sound.rangeSemitones.toFixed(2)),
    timbre,
    print: rounded(print, 4),
  };
  console.log(voice, stock[voice].medianHz);
}
writeFileSync("models/voice-map/stock-voices.json", `${JSON.stringify(stock)}\n`);
await Promise.all([speech.close(), printer.host.close()]);
