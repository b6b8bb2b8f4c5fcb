import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createLocalCloner } from "../../src/adapters/engines/local-cloner/local-cloner.ts";
import { VOICE_MAP_MODEL } from "../../src/adapters/engines/local-cloner/voice-map.ts";
import { PIPER_SPEAKERS, SPEAKER_NUMBERS } from "../../src/adapters/engines/piper/files.ts";
import { PIPER_MODEL } from "../../src/adapters/engines/piper/piper.ts";
import { piperVoices } from "../../src/adapters/engines/speech-local/piper-voices.ts";
import { XVECTOR_MODEL } from "../../src/adapters/engines/xvector/files.ts";
import { createXvector } from "../../src/adapters/engines/xvector/xvector.ts";
import { joinSamples } from "../../src/audio/pcm.ts";
import { summarizePitch, toSemitones, trackPitch } from "../../src/audio/pitch.ts";
import { resample } from "../../src/audio/resample.ts";
import { readWav } from "../../src/audio/wav.ts";
import { silentLog } from "../../src/platform/log.ts";
import type { SpeechRequest } from "../../src/ports/speech-engine.ts";
import { likeness } from "../../src/ports/voice-printer.ts";
import { countWordErrors, createListener, toWords } from "../../tests/support/listener.ts";
import { lacksModels, modelStore, openLocalSpeech } from "../../tests/support/local-speech.ts";
import { cpuSeconds } from "../support/cpu.ts";
import { isHeldOut } from "./held-out.ts";

// How near clones come to people that nothing was fitted on: `--model N` speakers of Piper that were left out, and everybody of
// PARLANCE_DATA/speech of whom there are several clips. The clone is made from some clips and judged by others.
const CLIP = [
  "When the sunlight strikes raindrops in the air, they act as a prism and form a rainbow.",
  "These take the shape of a long round arch, with its path high above.",
];
const REFERENCE = [
  "People look, but no one ever finds it. When a man looks for something beyond his reach, his friends say so.",
];
const SPOKEN =
  "The committee decided to postpone the vote until next Thursday afternoon, because two of its members were ill.";
/** Clips of one person each, by how their names begin. */
const PEOPLE = [
  "kerstin",
  "flemishguy",
  "ljspeech",
  "pocketsphinx-librivox",
  "speechbrain__spk1",
  "speechbrain__spk2",
  "pocketsphinx-cards",
];
const RATE_HZ = 16_000;

if (lacksModels(PIPER_MODEL, XVECTOR_MODEL, VOICE_MAP_MODEL, "moonshine-base-en")) process.exit(1);
const most = process.argv.includes("--model") ? Number(process.argv[process.argv.indexOf("--model") + 1]) : 12;
const signal = new AbortController().signal;
const turn = { key: "bench", flow: "bench" };
const speech = openLocalSpeech();
const printer = createXvector({ models: modelStore, log: silentLog });
const cloner = createLocalCloner({ models: modelStore, speech: speech.engine, printer });
const listen = await createListener(modelStore.folder("moonshine-base-en"));
const table = readFileSync(join(modelStore.folder(PIPER_MODEL), PIPER_SPEAKERS));

const print = (samples: Float32Array) => printer.print({ samples, ...turn }, signal);
const pitchOf = (samples: Float32Array) => summarizePitch(trackPitch(samples, RATE_HZ))?.medianHz ?? Number.NaN;
const request = (text: string): SpeechRequest => ({ text, language: "en-us", voice: "en_nora", speed: 1, ...turn });
async function collect(chunks: AsyncIterable<{ samples: Float32Array; sampleRateHz: number }>): Promise<Float32Array> {
  const parts: Float32Array[] = [];
  for await (const { samples, sampleRateHz } of chunks) parts.push(resample(samples, sampleRateHz, RATE_HZ));
  return joinSamples(parts);
}
async function say(texts: readonly string[], by: Partial<SpeechRequest>): Promise<Float32Array> {
  const parts: Float32Array[] = [];
  for (const text of texts) parts.push(await collect(speech.engine.speak({ ...request(text), ...by }, signal)));
  return joinSamples(parts);
}

interface Person {
  name: string;
  clip: Float32Array;
  reference: Float32Array;
  /** The speaker's own vector, where there is one. */
  vector?: Float32Array;
}

async function modelSpeakers(): Promise<Person[]> {
  const held = Array.from({ length: 904 }, (_, speaker) => speaker)
    .filter(isHeldOut)
    .slice(0, most);
  const people: Person[] = [];
  for (const speaker of held) {
    const at = speaker * SPEAKER_NUMBERS;
    const vector = Float32Array.from({ length: SPEAKER_NUMBERS }, (_, i) => table.readFloatLE((at + i) * 4));
    const by = { speaker: vector };
    people.push({ name: `#${speaker}`, clip: await say(CLIP, by), reference: await say(REFERENCE, by), vector });
  }
  return people;
}

function people(): Person[] {
  const folder = join(process.env.PARLANCE_DATA ?? "", "speech");
  if (!existsSync(join(folder, "manifest.tsv"))) return [];
  const files = readFileSync(join(folder, "manifest.tsv"), "utf8")
    .split("\n")
    .map((row) => row.split("\t")[0]!);
  return PEOPLE.flatMap((name) => {
    const own = files
      .filter((file) => file.startsWith(name))
      .map((file) => readWav(readFileSync(join(folder, file)))!.samples);
    const half = Math.min(4, own.length >> 1);
    if (half === 0) return [];
    return [
      {
        name,
        clip: joinSamples(own.slice(0, half)).slice(0, 40 * RATE_HZ),
        reference: joinSamples(own.slice(half, 2 * half)),
      },
    ];
  });
}

const stock: { id: string; print: Float32Array; errors: number }[] = [];
for (const { id } of piperVoices) {
  const spoken = await say([SPOKEN], { voice: id });
  stock.push({ id, print: await print(spoken), errors: countWordErrors(SPOKEN, await listen(spoken)) });
}
const words = toWords(SPOKEN).length;
const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

async function judge(title: string, all: readonly Person[]): Promise<void> {
  if (all.length === 0) return;
  const rows: Record<string, number>[] = [];
  const prints: Float32Array[] = [];
  for (const person of all) prints.push(await print(person.reference));
  for (const [index, { name, clip, vector }] of all.entries()) {
    const reference = prints[index]!;
    const row: Record<string, number> = {};
    for (const effort of ["quick", "thorough"] as const) {
      const before = cpuSeconds();
      const voice = await cloner.clone({ samples: clip, text: undefined, effort, ...turn }, signal);
      row[`${effort} cpu s`] = cpuSeconds() - before;
      const spoken = await collect(cloner.speak(request(SPOKEN), voice, signal));
      row[effort] = likeness(reference, await print(spoken));
      if (effort !== "thorough") continue;
      // Over several sentences on both sides: one alone lies a semitone higher or lower.
      const more = await collect(cloner.speak(request(REFERENCE[0]!), voice, signal));
      const own = pitchOf(joinSamples([clip, all[index]!.reference]));
      row["semitones off"] = Math.abs(toSemitones(pitchOf(joinSamples([spoken, more])) / own));
      row["words wrong %"] = (100 * countWordErrors(SPOKEN, await listen(spoken))) / words;
    }
    row["best stock"] = Math.max(...stock.map((voice) => likeness(reference, voice.print)));
    row["another person"] = mean(
      prints.filter((_, other) => other !== index).map((other) => likeness(reference, other)),
    );
    if (vector) row["true vector"] = likeness(reference, await print(await say([SPOKEN], { speaker: vector })));
    else row["other clips"] = likeness(reference, await print(clip));
    rows.push(row);
    console.log(
      name,
      Object.entries(row)
        .map(([key, value]) => `${key} ${value.toFixed(2)}`)
        .join(", "),
    );
  }
  console.log(`\n${title}, ${all.length} speakers, means:`);
  for (const key of Object.keys(rows[0]!))
    console.log(`  ${key.padEnd(16)} ${mean(rows.map((row) => row[key]!)).toFixed(3)}`);
  console.log(
    `  words wrong with stock voices % ${((100 * mean(stock.map(({ errors }) => errors))) / words).toFixed(1)}\n`,
  );
}

await judge("Speakers of the model that were left out", await modelSpeakers());
await judge("People", people());
await Promise.all([speech.close(), printer.host.close()]);
