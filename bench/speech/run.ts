import { setPriority } from "node:os";
import { speechCatalog } from "../../src/adapters/engines/speech-local/catalog.ts";
import { pronounce } from "../../src/adapters/engines/speech-local/pronounce.ts";
import { prepareText } from "../../src/voice/speech/prepare-text.ts";
import { finishSpeech, startSpeech } from "../../src/voice/speech/synthesize.ts";
import { lacksModels, openLocalSpeech, speechModels } from "../../tests/support/local-speech.ts";
import { childMegabytes, cpuSeconds } from "./cpu.ts";
import { openKokoroReference, openPiperReference, type Reference } from "./reference.ts";
import { countWrongWords } from "./words.ts";

/**
 * Compares our speech path (text preparation, phonemes, engine children, leveling) with the plain reference runner of the same
 * weights, in one run. Flags: --voices [sentences] (only word errors over all English voices), --requests N (only
 * memory), --kokoro or --piper (only that model).
 */
const TEXT =
  "The old train crossed the narrow bridge just before the storm arrived. Everybody was relieved, and nobody spoke for a while. Please remember to water the plants twice a week while we are away.";
const nobody = new AbortController().signal;
const caller = { keyId: "bench" };

if (lacksModels(...speechModels)) process.exit(1);
// Engine children run a little behind the server; on a busy machine the reference must, too, or it wins by rank.
setPriority(5);
const local = openLocalSpeech();
try {
  const [flag, number] = process.argv.slice(2);
  if (flag === "--voices") await countWrongWords(local.engine, Number(number ?? 3));
  else if (flag === "--requests") await watchMemory(Number(number ?? 1000));
  else {
    if (flag !== "--piper") await compare("af_heart", local.kokoro, await openKokoroReference());
    if (flag !== "--kokoro") await compare("en_clara", local.piper, await openPiperReference());
  }
} finally {
  await local.close();
}

async function compare(voice: string, model: typeof local.kokoro, reference: Reference): Promise<void> {
  const known = speechCatalog[0]!.voices.find(({ id }) => id === voice)!;
  const job = { key: "bench", flow: "bench", signal: nobody };
  const symbols: string[] = [];
  for (const { text } of prepareText(TEXT, "en-us")) {
    symbols.push(await pronounce(text, "en-us", model.spelling, local.phonemizer, job));
  }
  const sayOurs = async () =>
    (await finishSpeech(local.engine, { text: TEXT, voice }, caller, nobody)).durationMs / 1000;
  const sayTheirs = async () => {
    let seconds = 0;
    for (const line of symbols) seconds += await reference.speak(line, known.name);
    return seconds;
  };
  // Both are loaded and warm before anything is measured.
  await sayOurs();
  await sayTheirs();
  console.log(`\n${voice}, three sentences, against ${reference.name}`);
  for (const atOnce of [1, 4]) {
    const theirs = await measure(sayTheirs, atOnce);
    const ours = await measure(sayOurs, atOnce);
    console.log(
      `  ${atOnce} at once: CPU s per audio s ${ours.cpu.toFixed(2)} against ${theirs.cpu.toFixed(2)} (${(theirs.cpu / ours.cpu).toFixed(2)} times less); real-time factor ${ours.wall.toFixed(2)} against ${theirs.wall.toFixed(2)} (${(theirs.wall / ours.wall).toFixed(2)} times)`,
    );
  }
  const first = await measureFirstSound(voice);
  const startedAt = performance.now();
  await sayTheirs();
  const whole = performance.now() - startedAt;
  console.log(
    `  first sound, streamed: ${first.firstMs.toFixed(0)} ms (its clause alone ${first.clauseMs.toFixed(0)} ms); waiting for the whole of the reference: ${whole.toFixed(0)} ms (${(whole / first.firstMs).toFixed(1)} times)`,
  );
  await reference.close();
}

async function measure(say: () => Promise<number>, atOnce: number): Promise<{ cpu: number; wall: number }> {
  const [cpuBefore, wallBefore] = [cpuSeconds(), performance.now()];
  const seconds = await Promise.all(Array.from({ length: atOnce }, say));
  const audio = seconds.reduce((sum, one) => sum + one, 0);
  return { cpu: (cpuSeconds() - cpuBefore) / audio, wall: (performance.now() - wallBefore) / 1000 / audio };
}

async function measureFirstSound(voice: string): Promise<{ firstMs: number; clauseMs: number }> {
  const [clause] = prepareText(TEXT, "en-us", { isUrgent: true });
  const aloneAt = performance.now();
  const request = { text: clause!.text, language: "en-us", voice, speed: 1, key: "bench", flow: "alone" };
  for await (const _ of local.engine.speak(request, nobody)) break;
  const clauseMs = performance.now() - aloneAt;
  const startedAt = performance.now();
  for await (const _ of startSpeech(local.engine, { text: TEXT, voice }, caller, nobody).samples) break;
  return { firstMs: performance.now() - startedAt, clauseMs };
}

async function watchMemory(requests: number): Promise<void> {
  console.log(`\nmemory of the engine children over ${requests} requests (MB)`);
  for (let done = 0; done < requests; done++) {
    const text = `Request number ${done} of the memory run, with ${done % 9} words more. ${"And so on. ".repeat(done % 9)}`;
    await finishSpeech(local.engine, { text, voice: done % 5 === 0 ? "af_heart" : "en_clara" }, caller, nobody);
    if ((done + 1) % Math.max(1, Math.floor(requests / 10)) === 0)
      console.log(`  after ${done + 1}: ${childMegabytes()}`);
  }
}
