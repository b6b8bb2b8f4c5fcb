import { readFileSync } from "node:fs";
import { availableParallelism } from "node:os";

const MOST_THREADS = 8;

/** As many as a setting says; 0 follows what the machine has to spare. */
export function mostThreads(wanted: number): number {
  return wanted || Math.min(MOST_THREADS, availableParallelism());
}

/** Gives the runtime as many threads as there are idle cores, measured anew all the time. */
export function followLoad(llama: { maxThreads: number }, most: number): void {
  const cores = new BusyCores();
  setInterval(() => {
    const others = cores.measure();
    if (others === undefined) return;
    const threads = chooseThreads(availableParallelism(), others, most);
    if (threads !== llama.maxThreads) llama.maxThreads = threads;
  }, 1000).unref();
}

/** Threads of an evaluation wait for each other by spinning, so one that has no core of its own stalls the rest: two threads on
 *  busy cores are four times slower than one. Only cores that nobody else uses are worth a thread. */
export function chooseThreads(cores: number, othersBusyCores: number, most: number): number {
  const free = cores - othersBusyCores;
  return Math.max(1, Math.min(most, Math.floor(free + 0.35)));
}

/** How many cores other processes kept busy since the last call. Undefined where the system does not tell. */
export class BusyCores {
  #last = readTimes();

  measure(): number | undefined {
    const before = this.#last;
    const now = readTimes();
    this.#last = now;
    if (!before || !now || now.total <= before.total) return undefined;
    const ticks = now.total - before.total;
    const busy = ticks - (now.idle - before.idle);
    const others = Math.max(0, busy - (now.own - before.own));
    return (others / ticks) * now.cores;
  }
}

/** In clock ticks, over all cores, and of this process. */
function readTimes(): { total: number; idle: number; own: number; cores: number } | undefined {
  try {
    const lines = readFileSync("/proc/stat", "utf8").split("\n");
    const times = lines[0]!.trim().split(/\s+/).slice(1, 9).map(Number);
    const fields = readFileSync("/proc/self/stat", "utf8").split(") ")[1]!.split(" ");
    return {
      total: times.reduce((sum, time) => sum + time, 0),
      idle: times[3]! + times[4]!,
      own: Number(fields[11]) + Number(fields[12]),
      cores: lines.filter((line) => /^cpu\d/.test(line)).length,
    };
  } catch {
    return undefined;
  }
}
