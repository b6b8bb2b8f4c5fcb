import { readFileSync } from "node:fs";

/** CPU seconds and resident megabytes of a process so far. */
export function processUse(pid: number): { cpuSeconds: number; rssMb: number } {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const pages = Number(readFileSync(`/proc/${pid}/statm`, "utf8").split(" ")[1]);
  return { cpuSeconds: (Number(fields[11]) + Number(fields[12])) / 100, rssMb: (pages * 4096) / 1e6 };
}
