import { setPriority } from "node:os";
import { speechCatalog } from "../../src/adapters/engines/speech-local/catalog.ts";
import { pronounce } from "../../src/adapters/engines/speech-local/pronounce.ts";
import type { VoiceModel } from "../../src/adapters/engines/speech-local/voice-model.ts";
import { prepareText } from "../../src/voice/speech/prepare-text.ts";
import { finishSpeech, startSpeech } from "../../src/voice/speech/synthesize.ts";
import { lacksModels, openLocalSpeech, speechModels } from "../../tests/support/local-speech.ts";
import { childMegabytes, cpuSeconds } from "../support/cpu.ts";
import { hearBack } from "./heard-back.ts";
import { openKokoroReference, openPiperReference, type Reference } from "./reference.ts";
import { countWrongWords } from "./words.ts";

/**
 * Compares our speech path (text preparation, phonemes, engine children, leveling) with the plain reference runner of the same
 * weights, in one run. Flags: --voices [sentences [prefix]] (only word errors over all English voices), --heard [de,fr]
 * (only those over all voices of every language that is heard), --requests N [minutes] (only
 * memory), --kokoro or --piper (only that model).
 */
const TEXT =
  "The old train crossed the narrow bridge just before the storm arrived. Everybody was relieved, and nobody spoke for a while. Please remember to water the plants twice a week while we are away.";
const FIRST_SOUNDS = 5;
const nobody = new AbortController().signal;
const caller = { workspaceId: "w", keyId: "bench" };

if (lacksModels(...speechModels)) process.exit(1);
// Engine children run a little behind the server; on a busy machine the reference must, too, or it wins by rank.
setPriority(5);
const local = openLocalSpeech();
try {
  const [flag, number, extra] = process.argv.slice(2);
  if (flag === "--voices") await countWrongWords(local.engine, Number(number ?? 3), extra);
  else if (flag === "--heard") await hearBack(local.engine, number?.split(","));
  else if (flag === "--requests") await watchMemory(Number(number ?? 1000), Number(extra ?? 60));
  else {
    if (flag !== "--piper") await compare("af_heart", local.kokoro, await openKokoroReference());
    if (flag !== "--kokoro") await compare("en_clara", local.piper, await openPiperReference());
  }
} finally {
  await local.close();
}

async function compare(voice: string, model: VoiceModel, reference: Reference): Promise<void> {
  const known = speechCatalog[0]!.voices.find(({ id }) => id === voice)!;
  const job = { key: "bench", flow: "bench", signal: nobody };
  const symbols: string[] = [];
  for (const { text } of prepareText(TEXT, "en-us")) {
    symbols.push(await pronounce(text, "en-us", model.spelling, local.phonemizer, job));
  }
  const sayOurs = async (text = TEXT) =>
    (await finishSpeech(local.engine, { text, voice }, caller, nobody)).durationMs / 1000;
  const sayTheirs = async (lines: readonly string[] = symbols) => {
    let seconds = 0;
    for (const line of lines) seconds += await reference.speak(line, known.name);
    return seconds;
  };
  // Both are loaded and warm before anything is measured.
  await sayOurs();
  await reference.speak(symbols[0]!, known.name);
  console.log(`\n${voice}, three sentences, against ${reference.name}`);
  // First of all: whoever was measured longer before finds a warmer machine.
  const first = await measureFirstSound(voice, model);
  const wholeAt = performance.now();
  await sayTheirs();
  const whole = performance.now() - wholeAt;
  console.log(
    `  first sound, streamed: ${first.firstMs.toFixed(0)} ms, of which the model took ${(first.firstMs - first.besideMs).toFixed(0)} ms and everything else ${first.besideMs.toFixed(0)} ms (median of ${FIRST_SOUNDS}); waiting for the whole of the reference: ${whole.toFixed(0)} ms (${(whole / first.firstMs).toFixed(1)} times)`,
  );
  // Four at once say the first sentence each, which is as much as one says in all.
  const sentence = TEXT.slice(0, TEXT.indexOf(".") + 1);
  for (const atOnce of [1, 4]) {
    const theirs = await measure(() => (atOnce === 1 ? sayTheirs() : sayTheirs(symbols.slice(0, 1))), atOnce);
    const ours = await measure(() => (atOnce === 1 ? sayOurs() : sayOurs(sentence)), atOnce);
    console.log(
      `  ${atOnce} at once: CPU s per audio s ${ours.cpu.toFixed(2)} against ${theirs.cpu.toFixed(2)} (${(theirs.cpu / ours.cpu).toFixed(2)} times less); real-time factor ${ours.wall.toFixed(2)} against ${theirs.wall.toFixed(2)} (${(theirs.wall / ours.wall).toFixed(2)} times)`,
    );
  }
  await reference.close();
}

async function measure(say: () => Promise<number>, atOnce: number): Promise<{ cpu: number; wall: number }> {
  const [cpuBefore, wallBefore] = [cpuSeconds(), performance.now()];
  const seconds = await Promise.all(Array.from({ length: atOnce }, say));
  const audio = seconds.reduce((sum, one) => sum + one, 0);
  return { cpu: (cpuSeconds() - cpuBefore) / audio, wall: (performance.now() - wallBefore) / 1000 / audio };
}

/** From the request to the first sound, and how much of that was not the model at work on the first clause. Both come from
 *  the same request, so that a machine that is busy for a moment does not count. */
async function measureFirstSound(voice: string, model: VoiceModel): Promise<{ firstMs: number; besideMs: number }> {
  const { synthesize } = model;
  const times: { firstMs: number; besideMs: number }[] = [];
  for (let time = 0; time < FIRST_SOUNDS; time++) {
    let modelMs = 0;
    const timed: VoiceModel["synthesize"] = async (line, job) => {
      const begunAt = performance.now();
      const wave = await synthesize(line, job);
      modelMs ||= performance.now() - begunAt;
      return wave;
    };
    Object.assign(model, { synthesize: timed });
    const startedAt = performance.now();
    const { samples } = startSpeech(local.engine, { text: TEXT, voice }, caller, nobody);
    for await (const _ of samples) break;
    const firstMs = performance.now() - startedAt;
    times.push({ firstMs, besideMs: firstMs - modelMs });
    // What was begun ahead ends before the next one is measured.
    Object.assign(model, { synthesize });
    await finishSpeech(local.engine, { text: "Well.", voice }, caller, nobody);
  }
  return times.sort((one, other) => one.besideMs - other.besideMs)[Math.floor(FIRST_SOUNDS / 2)]!;
}

/** Nine in ten by the fast model, texts of two words and now and then of twenty: it is the number of requests that counts. */
async function watchMemory(requests: number, mostMinutes: number): Promise<void> {
  console.log(`\nmemory over ${requests} requests (MB): engine children, this process`);
  const endAt = performance.now() + mostMinutes * 60_000;
  let done = 0;
  while (done < requests && performance.now() < endAt) {
    const text = `Well${", and so on".repeat(done % 50 === 0 ? 6 : 0)}, ${done % 10}.`;
    await finishSpeech(local.engine, { text, voice: done % 10 === 0 ? "af_heart" : "en_clara" }, caller, nobody);
    done += 1;
    if (done % Math.max(1, Math.floor(requests / 20)) === 0)
      console.log(`  after ${done}: ${childMegabytes()}, ${Math.round(process.memoryUsage.rss() / 1e6)}`);
  }
  if (done < requests) console.log(`  stopped after ${mostMinutes} minutes and ${done} requests: ${childMegabytes()}`);
}
