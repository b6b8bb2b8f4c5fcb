import { createMediaServer } from "../../src/adapters/media/media-server.ts";
import { silentLog } from "../../src/platform/log.ts";
import type { MediaPeer } from "../../src/ports/media.ts";
import { forkCallers } from "./fork-callers.ts";

/** The media path alone: npm run bench -- live/media [calls] [seconds] [--churn=200]. Callers run in a process of their own. */
const [calls = 20, seconds = 15] = process.argv.filter((argument) => /^\d+$/.test(argument)).map(Number);
const churn = Number(/--churn=(\d+)/.exec(process.argv.join(" "))?.[1] ?? 0);
const tone = Int16Array.from({ length: 24_000 }, (_, index) => 6000 * Math.sin(index / 9) * Math.sin(index / 900));

const media = createMediaServer({ port: 0, announcedAddress: undefined, bindAddress: undefined, log: silentLog });
const callers = forkCallers();
let heard = 0;

const peers = await Promise.all(Array.from({ length: churn ? 0 : calls }, (_, index) => dial(index)));
if (churn) await measureChurn();
else await measureCalls();
callers.end();
await media.close();

async function dial(index: number): Promise<MediaPeer> {
  const sdp = await callers.ask<string>({ open: index });
  const peer = await media.open({
    sdp,
    iceServers: [],
    onAudio: (samples) => {
      heard += samples.length;
    },
    onMessage() {},
    onState() {},
    onPlayed() {},
  });
  await callers.ask({ answer: index, sdp: peer.answer });
  return peer;
}

async function measureCalls(): Promise<void> {
  const speak = setInterval(() => {
    for (const peer of peers) peer.play(1, tone);
  }, 1000);
  await wait(3000);
  const before = media.load();
  heard = 0;
  await wait(seconds * 1000);
  const after = media.load();
  clearInterval(speak);
  const share = (after.cpuSeconds - before.cpuSeconds) / seconds;
  console.log(`${calls} calls, voice both ways all the time, ${seconds} s`);
  console.log(`media process: ${(share * 100).toFixed(1)} % of a core, ${((share * 100) / calls).toFixed(2)} % a call`);
  console.log(
    `memory ${Math.round(after.rssBytes / 1e6)} MB, late (p95) ${after.lateMs} ms, packets lost ${after.packetsLost}`,
  );
  console.log(`heard ${((heard / 16_000 / calls / seconds) * 100).toFixed(1)} % of what was said`);
}

async function measureChurn(): Promise<void> {
  for (let done = 0; done < churn; done += 10) {
    const open = await Promise.all(Array.from({ length: 10 }, (_, index) => dial(done + index)));
    for (const peer of open) peer.play(1, tone);
    await wait(600);
    for (const peer of open) peer.close();
    for (let index = 0; index < 10; index++) await callers.ask({ close: done + index });
    if (done % 50 === 40) {
      await wait(1500);
      console.log(`after ${done + 10} calls: media process ${Math.round(media.load().rssBytes / 1e6)} MB`);
    }
  }
}

function wait(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
