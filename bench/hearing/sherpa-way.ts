// The same Moonshine weights by sherpa-onnx, as somebody would bring them, and by our own runner: CPU and words, one thread each,
// clip by clip in turns.
//   npm run bench -- hearing/sherpa-way [--clips=12]
import { mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sherpa from "sherpa-onnx-node";
import { hearSegment } from "../../src/adapters/engines/moonshine/hear-segment.ts";
import { MoonshineModel } from "../../src/adapters/engines/moonshine/model.ts";
import { writeMoonshineTokens } from "../../src/adapters/engines/sherpa/moonshine-tokens.ts";
import { recogniseFolder } from "../../src/adapters/engines/sherpa/recognise-folder.ts";
import { hearingConfig } from "../../src/adapters/engines/sherpa/write-config.ts";
import { readCatalog } from "../../src/adapters/models/catalog.ts";
import { createModelStore } from "../../src/adapters/models/model-folder.ts";
import { resample } from "../../src/audio/resample.ts";
import { readWav } from "../../src/audio/wav.ts";
import { readSettings } from "../../src/platform/settings/settings.ts";
import { countErrors } from "./score.ts";
import { flagOf, readClips } from "./setup.ts";

const most = Number(flagOf("clips") ?? 1000);
const { folder, clips } = readClips();
const own = createModelStore(readSettings(process.env).storage.modelsDir, readCatalog()).folder("moonshine-base-en");
const brought = mkdtempSync(join(tmpdir(), "parlance-bench-"));
try {
  for (const file of ["encoder_model.onnx", "decoder_model_merged.onnx"])
    symlinkSync(join(own, file), join(brought, file));
  await writeMoonshineTokens({ folder: brought });
  const recognizer = await sherpa.OfflineRecognizer.createAsync(hearingConfig(recogniseFolder(brought), 1, undefined));
  const model = await MoonshineModel.load(own);
  const signal = new AbortController().signal;
  const ways = {
    "sherpa-onnx": async (samples: Float32Array) => {
      const stream = recognizer.createStream();
      stream.acceptWaveform({ sampleRate: 16_000, samples });
      return (await recognizer.decodeAsync(stream)).text;
    },
    ours: async (samples: Float32Array) => {
      const segment = { samples, speechSeconds: samples.length / 16_000, isUrgent: false };
      return (await hearSegment(model, "en", segment, signal)).text;
    },
  };
  const totals = Object.fromEntries(Object.keys(ways).map((name) => [name, { cpu: 0, errors: 0, words: 0 }]));
  let seconds = 0;
  for (const clip of clips.filter((one) => one.language === "en" && one.seconds < 29).slice(0, most)) {
    const { samples: read, sampleRateHz } = readWav(readFileSync(join(folder, clip.path)))!;
    const samples = resample(read, sampleRateHz, 16_000);
    seconds += samples.length / 16_000;
    for (const [name, hear] of Object.entries(ways)) {
      const before = process.cpuUsage();
      const text = await hear(samples);
      const { user, system } = process.cpuUsage(before);
      const { errors, words } = countErrors(clip.transcript, text, "en");
      const total = totals[name]!;
      total.cpu += (user + system) / 1e6;
      total.errors += errors;
      total.words += words;
    }
  }
  for (const [name, { cpu, errors, words }] of Object.entries(totals)) {
    const wrong = ((100 * errors) / words).toFixed(1);
    console.log(
      `${name.padEnd(12)} ${(cpu / seconds).toFixed(3)} CPU s per audio s, ${wrong} % of ${words} words wrong`,
    );
  }
  const ratio = totals["sherpa-onnx"]!.cpu / totals.ours!.cpu;
  console.log(`the sherpa way costs ${ratio.toFixed(2)} x of ours, over ${seconds.toFixed(0)} s of speech`);
} finally {
  rmSync(brought, { recursive: true, force: true });
}
