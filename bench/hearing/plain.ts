// Whisper as it is shipped, run in the plain way (the whole window of 30 s, the merged decoder, the likeliest token, nothing around
// it), against our graphs in the same way and with everything around them. Language pinned, one thread, whole clips.
//   npm run bench -- hearing/plain [--only=de,fr] [--clips=4] [--size=base]
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { hearSpeech } from "../../src/adapters/engines/whisper/hear-speech.ts";
import { WhisperModel } from "../../src/adapters/engines/whisper/model.ts";
import { readCatalog } from "../../src/adapters/models/catalog.ts";
import { createModelStore } from "../../src/adapters/models/model-folder.ts";
import { resample } from "../../src/audio/resample.ts";
import { readWav } from "../../src/audio/wav.ts";
import { readSettings } from "../../src/platform/settings/settings.ts";
import { openPlainWhisper } from "./plain-whisper.ts";
import { countCharacterErrors, countErrors } from "./score.ts";
import { flagOf, readClips } from "./setup.ts";
import { noTotal, printTotals, type Total } from "./totals.ts";

const only = (flagOf("only") ?? "de,nl,fr,pt,it,ru,ar,sv-SE,tr").split(",");
const most = Number(flagOf("clips") ?? 1000);
const { folder, clips } = readClips();
const models = createModelStore(readSettings(process.env).storage.modelsDir, readCatalog()).folder(
  `whisper-${flagOf("size") ?? "small"}`,
);
const signal = new AbortController().signal;
const ours = await WhisperModel.load(models, 1);
const plain = await openPlainWhisper(models, ours);
const totals = { plain: {} as Record<string, Total>, ours: {} as Record<string, Total> };

for (const language of only) {
  for (const clip of clips.filter((one) => one.language === language && one.seconds < 29).slice(0, most)) {
    const { samples: read, sampleRateHz } = readWav(readFileSync(join(folder, clip.path)))!;
    const samples = resample(read, sampleRateHz, 16_000);
    const own = language.split("-")[0]!;
    const job = {
      folder: models,
      threads: 1,
      samples,
      speechSeconds: samples.length / 16_000,
      language: own,
      offered: [own],
      leftToOthers: [],
      task: "transcribe",
      isInterim: false,
      isUrgent: false,
    } as const;
    await score("plain", () => plain(samples, own));
    await score("ours", async () => (await hearSpeech(ours, job, signal)).text);

    async function score(name: keyof typeof totals, hear: () => Promise<string>): Promise<void> {
      const before = process.cpuUsage();
      const text = await hear();
      const { user, system } = process.cpuUsage(before);
      totals[name][language] ??= noTotal();
      const total = totals[name][language]!;
      const words = countErrors(clip.transcript, text, own);
      const letters = countCharacterErrors(clip.transcript, text, own);
      total.errors += words.errors;
      total.words += words.words;
      total.wrongCharacters += letters.errors;
      total.characters += letters.characters;
      total.seconds += samples.length / 16_000;
      total.cpu += (user + system) / 1e6;
      total.clips += 1;
    }
  }
}
for (const [name, total] of Object.entries(totals)) {
  console.log(name);
  printTotals(total);
}
console.log(`memory: ${Math.round(process.memoryUsage.rss() / 1e6)} MB for both`);
