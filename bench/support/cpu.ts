import { readdirSync, readFileSync } from "node:fs";

const TICKS_PER_SECOND = 100;

/** What each process was last seen with: an engine child that is replaced must not take its past with it. */
const seen = new Map<number, number>();

/** CPU seconds of this process and of all it started, so far. Linux only: elsewhere just this process. */
export function cpuSeconds(): number {
  const own = process.cpuUsage();
  for (const pid of descendants(process.pid)) {
    const fields = statOf(pid);
    if (fields) seen.set(pid, (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND);
  }
  return [...seen.values()].reduce((sum, seconds) => sum + seconds, (own.user + own.system) / 1e6);
}

/** Resident megabytes of what this process started. */
export function childMegabytes(): number {
  let pages = 0;
  for (const pid of descendants(process.pid)) {
    try {
      pages += Number(readFileSync(`/proc/${pid}/statm`, "utf8").split(" ")[1]);
    } catch {
      // It ended meanwhile.
    }
  }
  return Math.round((pages * 4096) / 1e6);
}

function descendants(root: number): number[] {
  const parents = new Map<number, number>();
  try {
    for (const name of readdirSync("/proc").filter((entry) => /^\d+$/u.test(entry))) {
      const fields = statOf(Number(name));
      if (fields) parents.set(Number(name), Number(fields[1]));
    }
  } catch {
    return [];
  }
  const found = new Set([root]);
  for (let grew = true; grew; ) {
    grew = false;
    for (const [pid, parent] of parents) {
      if (found.has(parent) && !found.has(pid)) grew = Boolean(found.add(pid));
    }
  }
  found.delete(root);
  return [...found];
}

/** The fields after the command, which may itself hold blanks: state, parent, ... */
function statOf(pid: number): string[] | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "utf8");
    return text.slice(text.lastIndexOf(")") + 2).split(" ");
  } catch {
    return undefined;
  }
}
