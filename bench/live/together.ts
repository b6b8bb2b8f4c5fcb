import { CallClient } from "../../tests/support/call/call-client.ts";
import { call } from "../../tests/support/call.ts";
import { clips, readPcm, transcriptOf, wordsOf } from "../../tests/support/speech-clips.ts";
import { childMegabytes, cpuSeconds } from "../support/cpu.ts";
import { startBenchServer } from "../support/start-bench-server.ts";

/** Calls at the same time on the embedded engines: npm run bench -- live/together [callers] [rounds]. Each caller says clips at the
 *  pace of a speaker; counted are the words that were not heard, and what the whole server takes, with its engines and these
 *  callers. */
const [callers = 2, rounds = 4] = process.argv.filter((argument) => /^\d+$/.test(argument)).map(Number);
const server = await startBenchServer({ SVC_WARM_UP: "1", SVC_CALLS_MOST: "100" });
const megabytes = childMegabytes();
const startedMs = performance.now();
const cpuBefore = cpuSeconds();
const results = await Promise.all(Array.from({ length: callers }, () => talk()));
const wanted = results.reduce((sum, { words }) => sum + words, 0);
const lost = results.reduce((sum, one) => sum + one.lost, 0);
console.log(`${callers} calls at once, ${rounds} rounds: ${lost} of ${wanted} words not heard`);
const seconds = (performance.now() - startedMs) / 1000;
console.log(
  `CPU of the whole server: ${(((cpuSeconds() - cpuBefore) / seconds / callers) * 100).toFixed(1)} % of a core a call; its children have ${childMegabytes()} MB, ${megabytes} before the calls, and the server itself ${Math.round(process.memoryUsage.rss() / 1e6)} MB`,
);
await server.close();
// The engines are shared with servers that come later, and here none does.
process.exit(0);

async function talk(): Promise<{ words: number; lost: number }> {
  const { json: session } = await call(`${server.url}/v1/realtime/session`, {
    key: server.key,
    json: { mode: "external" },
  });
  const client = await CallClient.join(session);
  // The models load meanwhile.
  await new Promise((resolve) => setTimeout(resolve, 8000));
  const said: string[] = [];
  for (let round = 0; round < rounds; round++) {
    for (const clip of [clips.english, clips.englishLong]) {
      said.push(...wordsOf(transcriptOf(clip)));
      await client.say(readPcm(clip));
    }
  }
  await new Promise((resolve) => setTimeout(resolve, 5000));
  const turns = client.messages.filter(({ type, data }) => type === "user-transcription" && data.final);
  const heard = turns.flatMap(({ data }) => wordsOf(data.text));
  client.close();
  return { words: said.length, lost: said.filter((word) => !take(heard, word)).length };
}

function take(words: string[], word: string): boolean {
  const at = words.indexOf(word);
  if (at >= 0) words.splice(at, 1);
  return at >= 0;
}
