import { readdirSync, readFileSync } from "node:fs";

/** Process ids of the engine children of a server in this process, by a part of their module's path. Linux only. */
export function engineProcesses(module: string): number[] {
  const found: number[] = [];
  for (const task of readdirSync("/proc/self/task")) {
    for (const pid of readFileSync(`/proc/self/task/${task}/children`, "utf8").trim().split(" ").filter(Boolean)) {
      try {
        if (readFileSync(`/proc/${pid}/cmdline`, "utf8").includes(module)) found.push(Number(pid));
      } catch {
        // It has just ended.
      }
    }
  }
  return found;
}

export function killEngines(module: string): number {
  const pids = engineProcesses(module);
  for (const pid of pids) process.kill(pid, "SIGKILL");
  return pids.length;
}
