import { readFileSync } from "node:fs";

export interface ThreadTimes {
  /** On a core. */
  readonly cpuMs: number;
  /** Able to run, and waiting for a core. */
  readonly waitedMs: number;
}

/** What the first thread of a process, which runs its JavaScript, has had of the machine since it began. Zero where /proc does not tell. */
export function readThreadTimes(pid: number): ThreadTimes {
  try {
    const [cpuNs, waitedNs] = readFileSync(`/proc/${pid}/task/${pid}/schedstat`, "utf8").split(" ").map(Number);
    return { cpuMs: cpuNs! / 1e6, waitedMs: waitedNs! / 1e6 };
  } catch {
    return { cpuMs: 0, waitedMs: 0 };
  }
}

export function timesSince(pid: number, before: ThreadTimes): ThreadTimes {
  const now = readThreadTimes(pid);
  return { cpuMs: now.cpuMs - before.cpuMs, waitedMs: now.waitedMs - before.waitedMs };
}
