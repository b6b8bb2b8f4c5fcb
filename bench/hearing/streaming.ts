// Live sockets: time to the first interim and from the end of speech to the final text, CPU per stream, many sockets at once.
// Compares with what cloud recognisers publish for time to final: 0.35 to 1.66 s (99th percentile).
// Every stream speaks the same twelve clips, each beginning with another one, so the words wrong of ten streams are comparable
// with those of one.   npm run bench -- hearing/streaming [streams, default 1] [idle sockets, default 0] [--language=de] [--show]
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { toPcm16 } from "../../src/audio/pcm.ts";
import { resample } from "../../src/audio/resample.ts";
import { readWav } from "../../src/audio/wav.ts";
import { call } from "../../tests/support/call.ts";
import { openStream, speakInto } from "../../tests/support/stream-client.ts";
import { startBenchServer } from "../support/start-bench-server.ts";
import { countErrors } from "./score.ts";
import { childCpuSeconds, flagOf, readClips } from "./setup.ts";
import { findSpeechBounds } from "./speech-bounds.ts";

const [streams = 1, idle = 0] = process.argv
  .slice(2)
  .filter((argument) => !argument.startsWith("--"))
  .map(Number);
const isShown = process.argv.includes("--show");
const language = flagOf("language") ?? "en";
const { folder, clips } = readClips();
const spoken = clips
  .filter((clip) => clip.language === language && clip.seconds >= 2 && clip.seconds <= 12)
  .slice(0, 12);
const bounds = await findSpeechBounds(spoken.map(({ path }) => pcmOf(path)));
const server = await startBenchServer();
const open = async () => {
  const { json } = await call(`${server.url}/v1/realtime/stt/lang`, { key: server.key, json: { language } });
  const client = await openStream(json.url);
  await client.waitFor("ready");
  return client;
};

const warm = await open();
for (let i = 0; i < 3; i++) {
  await speakInto(warm, pcmOf(spoken[0]!.path));
  await speakInto(warm, new Uint8Array(32_000));
}
warm.close();
const idlers = await Promise.all(Array.from({ length: idle }, open));

const firstInterimMs: number[] = [];
const finalMs: number[] = [];
let errors = 0;
let turnsSpoken = 0;
let turnsLost = 0;
let interimsShown = 0;
let words = 0;
let audioSeconds = 0;
let changedWords = 0;
let shownWords = 0;
const cpuBefore = childCpuSeconds("moonshine", "whisper", "silero");
const ownBefore = process.cpuUsage();
const startedMs = performance.now();
await Promise.all(Array.from({ length: streams }, (_, index) => runStream(index)));
const wallSeconds = (performance.now() - startedMs) / 1000;
const own = process.cpuUsage(ownBefore);
const cpu = childCpuSeconds("moonshine", "whisper", "silero") - cpuBefore + (own.user + own.system) / 1e6;

console.log(
  `${streams} streams, ${idle} idle sockets, ${audioSeconds.toFixed(0)} s of audio in ${wallSeconds.toFixed(0)} s`,
);
console.log(
  `first interim after the start of speech: p50 ${at(firstInterimMs, 0.5)} ms, p95 ${at(firstInterimMs, 0.95)} ms`,
);
console.log(`final after the end of speech: p50 ${at(finalMs, 0.5)} ms, p95 ${at(finalMs, 0.95)} ms`);
console.log(
  `interim words that the next message changed: ${((100 * changedWords) / Math.max(1, shownWords)).toFixed(1)} %`,
);
console.log(
  `clips without a final text: ${turnsLost} of ${turnsSpoken}; ${(interimsShown / turnsSpoken).toFixed(1)} interims a clip`,
);
console.log(`words wrong: ${((100 * errors) / words).toFixed(1)} % of ${words}`);
console.log(
  `CPU: ${(cpu / audioSeconds).toFixed(3)} s per audio s, so ${(audioSeconds / cpu).toFixed(0)} streams a core, client included`,
);
for (const client of idlers) client.close();
await server.close();
process.exit(0);

interface Turn {
  transcript: string;
  /** When its first sample was sent, and how much had been sent before. */
  sentMs: number;
  streamMs: number;
  speech: { start: number; end: number };
}

async function runStream(index: number): Promise<void> {
  const client = await open();
  const arrivals: { message: Record<string, unknown>; ms: number }[] = [];
  client.socket.on("message", (data: Buffer) =>
    arrivals.push({ message: JSON.parse(data.toString()), ms: performance.now() }),
  );
  const turns: Turn[] = [];
  let streamMs = 0;
  for (let turn = 0; turn < spoken.length; turn++) {
    const number = (index + turn) % spoken.length;
    const clip = spoken[number]!;
    const pcm = pcmOf(clip.path);
    turns.push({ transcript: clip.transcript, sentMs: performance.now(), streamMs, speech: bounds[number]! });
    await speakInto(client, pcm, { frameMs: 32 });
    await speakInto(client, new Uint8Array(48_000), { frameMs: 32 });
    streamMs += (pcm.length + 48_000) / 32;
  }
  client.send({ type: "close" });
  await client.closed;
  audioSeconds += streamMs / 1000;
  for (const [turn, { transcript, sentMs, speech, streamMs: fromMs }] of turns.entries()) {
    const untilMs = turns[turn + 1]?.streamMs ?? Number.POSITIVE_INFINITY;
    // A message belongs to the clip in which its utterance began; a busy machine may answer during a later one.
    const numbers = new Set(
      arrivals.flatMap(({ message }) => {
        // An utterance carries a little of the silence before it.
        const startMs = Number(message.start_ms) + 400;
        return startMs >= fromMs && startMs < untilMs ? [message.utterance] : [];
      }),
    );
    const own = arrivals.filter(({ message }) => numbers.has(message.utterance));
    const finals = own.filter(({ message }) => message.type === "final");
    const interims = own.filter(({ message }) => message.type === "interim");
    if (interims[0]) firstInterimMs.push(interims[0].ms - sentMs - speech.start);
    const last = finals.at(-1);
    turnsSpoken += 1;
    interimsShown += interims.length;
    if (!last) turnsLost += 1;
    if (last) finalMs.push(last.ms - sentMs - speech.end);
    const scored = countErrors(transcript, finals.map(({ message }) => message.text).join(" "), language);
    errors += scored.errors;
    words += scored.words;
    if (isShown && scored.errors > 0) {
      const heard = finals.map(({ message }) => message.text).join(" | ");
      console.log(`  stream ${index}: ${scored.errors}/${scored.words}\n    said  ${transcript}\n    heard ${heard}`);
    }
    countChanges(interims.map(({ message }) => message));
  }
}

function countChanges(interims: Record<string, unknown>[]): void {
  const bare = (word: string | undefined) => word?.toLowerCase().replace(/\W/g, "");
  for (const [index, message] of interims.entries()) {
    const next = interims[index + 1];
    if (!next || next.utterance !== message.utterance) continue;
    const [before, after] = [String(message.text).split(" "), String(next.text).split(" ")];
    shownWords += before.length;
    changedWords += before.filter((word, at) => bare(word) !== bare(after[at])).length;
  }
}

function pcmOf(path: string): Uint8Array {
  const { samples, sampleRateHz } = readWav(readFileSync(join(folder, path)))!;
  return toPcm16(resample(samples, sampleRateHz, 16_000));
}

function at(values: number[], share: number): string {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted.length === 0
    ? "none"
    : sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))]!.toFixed(0);
}
