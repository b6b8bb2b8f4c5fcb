import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { InferenceSession, Tensor } from "onnxruntime-node";
import {
  PIPER_GRAPH,
  PIPER_SPEAKER_INPUT,
  PIPER_SPEAKERS,
  SPEAKER_NUMBERS,
} from "../../src/adapters/engines/piper/files.ts";
import { PIPER_MODEL } from "../../src/adapters/engines/piper/piper.ts";
import { readPiperTokens, toPiperIds } from "../../src/adapters/engines/piper/piper-ids.ts";
import { pronounce } from "../../src/adapters/engines/speech-local/pronounce.ts";
import { XVECTOR_GRAPH, XVECTOR_MODEL } from "../../src/adapters/engines/xvector/files.ts";
import { printVoice } from "../../src/adapters/engines/xvector/print-voice.ts";
import { folderForProcessor } from "../../src/adapters/models/model-folder.ts";
import { lacksModels, modelStore, openLocalSpeech } from "../../tests/support/local-speech.ts";

/** Lets each of the 904 speakers of the model say the same sentences and writes down their voice prints: what the map from
 *  print to speaker is fitted on. Takes 40 CPU minutes, and goes on where it was stopped. */
const SENTENCES = [
  "She had your dark suit in greasy wash water all year, and nobody knew why the young boy enjoyed it.",
  "Please call me tomorrow when the meeting is over, because I have good news about the house by the lake.",
];
const SPEAKERS = 904;
/** Coprime to the number of speakers, so that a part of the run is spread over all of them. */
const STRIDE = 521;

const output = process.argv[2];
if (!output || lacksModels(PIPER_MODEL, XVECTOR_MODEL))
  throw new Error("usage: npm run bench -- cloning/speak-bank OUTPUT");
const folder = modelStore.folder(PIPER_MODEL);
const options = { intraOpNumThreads: 1, interOpNumThreads: 1 };
const voice = await InferenceSession.create(join(folderForProcessor(folder, PIPER_GRAPH), PIPER_GRAPH), options);
const printer = await InferenceSession.create(join(modelStore.folder(XVECTOR_MODEL), XVECTOR_GRAPH), options);
const tokens = readPiperTokens(readFileSync(join(folder, "tokens.txt"), "utf8"));
const table = readFileSync(join(folder, PIPER_SPEAKERS));
const speech = openLocalSpeech();
const job = { key: "bench", flow: "bank", signal: new AbortController().signal };
const lines: number[][] = [];
for (const text of SENTENCES) {
  lines.push(toPiperIds(await pronounce(text, "en-us", speech.piper.spelling, speech.phonemizer, job), tokens));
}
await speech.close();
const done = new Set(
  existsSync(output)
    ? readFileSync(output, "utf8")
        .trim()
        .split("\n")
        .filter(Boolean)
        .map((line) => JSON.parse(line).speaker as number)
    : [],
);
for (let k = 0; k < SPEAKERS; k++) {
  const speaker = (k * STRIDE) % SPEAKERS;
  if (done.has(speaker)) continue;
  const vector = Float32Array.from({ length: SPEAKER_NUMBERS }, (_, i) =>
    table.readFloatLE((speaker * SPEAKER_NUMBERS + i) * 4),
  );
  const prints: number[][] = [];
  for (const ids of lines) {
    const { output: wave } = await voice.run({
      input: new Tensor("int64", BigInt64Array.from(ids, BigInt), [1, ids.length]),
      input_lengths: new Tensor("int64", BigInt64Array.of(BigInt(ids.length)), [1]),
      scales: new Tensor("float32", Float32Array.of(0.333, 1, 0.333), [3]),
      [PIPER_SPEAKER_INPUT]: new Tensor("float32", vector, [1, SPEAKER_NUMBERS]),
    });
    const print = await printVoice(printer, wave!.data as Float32Array, 22050);
    prints.push(Array.from(print, (value) => Number(value.toFixed(5))));
    wave!.dispose();
  }
  appendFileSync(output, `${JSON.stringify({ speaker, prints })}\n`);
}
