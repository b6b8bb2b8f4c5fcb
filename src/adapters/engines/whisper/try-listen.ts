import { Listener, Room } from "./listener.ts";

export interface ListenTrial {
  readonly keys: Float32Array;
  readonly cpuSeconds: number;
}

const RATE_HZ = 16_000;
const SECONDS = 3;
const TIMES = 2;

/** Hears something like a voice: tones that glide and stop, so that no number of the graph stays small. */
export async function tryListen(paths: readonly string[]): Promise<ListenTrial> {
  const options = { intraOpNumThreads: 1, interOpNumThreads: 1, enableCpuMemArena: false };
  const listener = await Listener.open(paths, options);
  const room = new Room();
  const signal = new AbortController().signal;
  const samples = Float32Array.from({ length: SECONDS * RATE_HZ }, (_, i) => voiceAt(i / RATE_HZ));
  let cpuSeconds = Number.POSITIVE_INFINITY;
  let keys = new Float32Array(0);
  for (let time = 0; time < TIMES; time++) {
    const before = process.cpuUsage();
    const speech = await listener.listen(samples, "spoken", room, signal);
    const { user, system } = process.cpuUsage(before);
    cpuSeconds = Math.min(cpuSeconds, (user + system) / 1e6);
    keys = Float32Array.from(speech.keys["speech.0.key"]!.data as Float32Array);
  }
  await listener.release();
  return { keys, cpuSeconds };
}

function voiceAt(t: number): number {
  const pitch = 120 + 30 * Math.sin(2 * Math.PI * 0.7 * t);
  let sum = 0;
  for (let overtone = 1; overtone <= 20; overtone++) sum += Math.sin(2 * Math.PI * overtone * pitch * t) / overtone;
  return 0.1 * sum * Math.max(0, Math.sin(2 * Math.PI * 2.5 * t));
}

/** Mean distance of numbers from a reference, as a share of the reference's own size. */
export function meanDifference(reference: Float32Array, values: Float32Array): number {
  let distance = 0;
  let size = 0;
  for (let i = 0; i < reference.length; i++) {
    distance += Math.abs(reference[i]! - values[i]!);
    size += Math.abs(reference[i]!);
  }
  return size === 0 ? 0 : distance / size;
}
