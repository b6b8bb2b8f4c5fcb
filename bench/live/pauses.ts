import { readFileSync } from "node:fs";
import { join } from "node:path";
import { toPcm16 } from "../../src/audio/pcm.ts";
import { readWav } from "../../src/audio/wav.ts";
import { FIRST_PATIENCE_MS, learnPatience, silenceThatEnds } from "../../src/voice/realtime/turn/end-of-turn.ts";
import { hearLive } from "../hearing/hear-live.ts";
import { readClips, startEngines } from "../hearing/setup.ts";

/** Pauses of people inside what they say, after words that could have been the end of their turn: npm run bench -- live/pauses.
 *  Each that is longer than the silence that ends a turn is a caller who is talked over. */
/** A voice is noticed so long after it began. */
const noticedAfterMs = 100;
const { folder, clips } = readClips();
const engines = startEngines();
const gaps: { ms: number; isCut: boolean }[] = [];
let early = 0;
let resumed = 0;
let heard = 0;
for (const { path, language } of clips.filter((clip) => ["en", "es"].includes(clip.language))) {
  const { samples, sampleRateHz } = readWav(readFileSync(join(folder, path)))!;
  if (sampleRateHz !== 16_000) continue;
  const pcm = toPcm16(samples);
  const code = engines.transcription.languages().find((one) => one.startsWith(language))!;
  const events = await hearLive(engines, new Int16Array(pcm.buffer, pcm.byteOffset, pcm.byteLength / 2), code);
  const finals = events.flatMap((event) => (event.type === "final" && event.text !== "" ? [event] : []));
  heard += 1;
  for (const [index, { type }] of events.entries()) {
    if (type !== "sentence-paused") continue;
    early += 1;
    if (events[index + 1]?.type === "speech-resumed") resumed += 1;
  }
  let patienceMs = FIRST_PATIENCE_MS;
  for (const [index, { text, endMs }] of finals.entries()) {
    const next = finals[index + 1];
    if (!next) continue;
    const ms = next.words[0]!.startMs - endMs;
    if (silenceThatEnds(text, FIRST_PATIENCE_MS) === FIRST_PATIENCE_MS) gaps.push({ ms, isCut: ms > patienceMs });
    patienceMs = learnPatience(patienceMs, ms + noticedAfterMs);
  }
}
console.log(`${heard} recordings: ${gaps.length} pauses after a sentence inside them`);
for (const ms of [240, 320, 400, 480, 560, 640, 720, 800, 1000, 1500])
  console.log(`longer than ${ms} ms: ${gaps.filter((gap) => gap.ms > ms).length}`);
console.log(`in which an answer is heard: ${gaps.filter(({ isCut }) => isCut).length}`);
console.log(`answers begun in a pause: ${early}, for nothing: ${resumed}`);
await engines.close();
