import { readWav } from "../../src/audio/wav.ts";
import { type Caller, LOUD_RMS, openCallBrowser } from "../../tests/support/call/browser.ts";
import { startInstantChat } from "../../tests/support/call/instant-chat.ts";
import { clips, readClip } from "../../tests/support/speech-clips.ts";
import { startBenchServer } from "../support/start-bench-server.ts";

/** Voice to voice, as a page in Chromium hears it: npm run bench -- live/turns [turns] [--instant] [--question]. The caller says
 *  "He could wait no longer.", or asks something in one of this server's voices. */
const turns = Number(process.argv.find((argument) => /^\d+$/.test(argument)) ?? 20);
/** A pause between words is shorter. */
const fallenSilentMs = 400;
/** People interrupt what they have heard. */
const heardBeforeMs = 700;
const isInstant = process.argv.includes("--instant");

const instant = isInstant
  ? await startInstantChat(["Well, that is a good question, ", "and I am glad that you ask."])
  : undefined;
const server = await startBenchServer({
  SVC_WARM_UP: "1",
  SVC_CALLS_MOST: "10",
  ...(instant ? { SVC_CHAT_ENGINE: instant.engine } : {}),
});
const browser = await openCallBrowser();
const caller = await browser.newCaller();
await caller.start({
  endpoint: `${server.url}/v1/realtime/session`,
  headers: { authorization: `Bearer ${server.key}` },
  requestData: { mode: "assistant", temperature: 0, style_text: "Answer in at most ten words." },
});
await caller.waitFor("BotReady");

const said = process.argv.includes("--question") ? await askSomething() : readClip(clips.english);
const { quietAtStartMs, quietAtEndMs } = measureQuiet(said);
const totals: number[] = [];
const bargeIns: number[] = [];
const stages = new Map<string, number[]>();
const buffered = [await caller.buffered()];
for (let turn = 0; turn < turns + 2; turn++) {
  const over = (await caller.say(said)) - quietAtEndMs;
  const left = await caller.waitFor("BotStartedSpeaking", undefined, { after: over, withinMs: 120_000 });
  const first = await firstLoud(caller, over);
  const metrics = await caller.waitFor("Metrics", undefined, { after: over });
  // The first turns find the models still loading.
  if (turn >= 2) {
    totals.push(first - over);
    for (const { processor, value } of metrics.data.ttfb) {
      stages.set(processor, [...(stages.get(processor) ?? []), value * 1000]);
    }
    stages.set("network", [...(stages.get("network") ?? []), first - over - total(metrics)]);
    // The rest of it is the way to the server, and what voice activity takes to let go of a voice.
    stages.set("  in the page", [...(stages.get("  in the page") ?? []), first - left.at]);
  }
  buffered.push(await caller.buffered());
  if (turn % 2 === 1) bargeIns.push(await interrupt(caller));
  await silence(caller);
}
console.log(`${turns} turns${isInstant ? " with a chat engine that answers at once" : ""}, ms`);
print("voice to voice", totals);
for (const [stage, values] of stages) print(`  ${stage}`, values);
print("barge-in to silence", bargeIns);
const waits = buffered.slice(1).map(({ seconds, samples }, turn) => {
  const before = buffered[turn]!;
  return (1000 * (seconds - before.seconds)) / (samples - before.samples);
});
console.log(`sound waits in the page's own buffer for ${waits[0]!.toFixed(0)} ms in the first turn of a call`);
print("  later", waits.slice(1));
await browser.close();
await server.close();
await instant?.close();
// The engines are shared with servers that come later, and here none does.
process.exit(0);

function total(metrics: { data: { ttfb: { processor: string; value: number }[] } }): number {
  return (metrics.data.ttfb.find(({ processor }) => processor === "total")?.value ?? 0) * 1000;
}

async function firstLoud(page: Caller, after: number): Promise<number> {
  for (;;) {
    const [found] = await page.loud(after);
    if (found !== undefined) return found;
    await wait(100);
  }
}

/** Until the voice has been silent for a second and a half. */
async function silence(page: Caller): Promise<void> {
  do await wait(1500);
  while ((await page.loud((await now(page)) - 1500)).length > 0);
}

/** What of a clip is no voice, by the loudness that counts as voice in the page. */
function measureQuiet(clip: Uint8Array): { quietAtStartMs: number; quietAtEndMs: number } {
  const { samples, sampleRateHz } = readWav(clip)!;
  const frame = sampleRateHz / 50;
  const isLoud = Array.from({ length: Math.floor(samples.length / frame) }, (_, index) => {
    const part = samples.subarray(index * frame, (index + 1) * frame);
    return Math.sqrt(part.reduce((sum, value) => sum + value * value, 0) / frame) > LOUD_RMS;
  });
  const lastMs = (isLoud.lastIndexOf(true) + 1) * 20;
  return { quietAtStartMs: isLoud.indexOf(true) * 20, quietAtEndMs: (samples.length * 1000) / sampleRateHz - lastMs };
}

async function askSomething(): Promise<Uint8Array> {
  const response = await fetch(`${server.url}/v1/speech`, {
    method: "POST",
    headers: { authorization: `Bearer ${server.key}`, "content-type": "application/json" },
    body: JSON.stringify({ text: "What time does the next train leave?", language: "en-us" }),
  });
  return new Uint8Array(await response.arrayBuffer());
}

function wait(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

async function now(page: Caller): Promise<number> {
  return (await page.page.evaluate("performance.now()")) as number;
}

/** From the first voice in the caller's clip to the last sound of the agent before it is silent for long. */
async function interrupt(page: Caller): Promise<number> {
  await wait(heardBeforeMs);
  const asked = await now(page);
  await page.say(said);
  // Handing the clip to the page takes time of its own.
  const { at } = await page.waitFor("Said", undefined, { after: asked });
  const began = at + quietAtStartMs;
  const loud = await page.loud(began);
  const last = loud.find((moment, index) => (loud[index + 1] ?? Number.POSITIVE_INFINITY) - moment > fallenSilentMs);
  return (last ?? began) - began;
}

function print(name: string, values: number[]): void {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (share: number) =>
    Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? NaN);
  console.log(`${name.padEnd(24)} p50 ${at(0.5)}  p95 ${at(0.95)}  n ${sorted.length}`);
}
