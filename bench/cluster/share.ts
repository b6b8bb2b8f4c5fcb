import { mkdirSync, rmdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const root = "/sys/fs/cgroup/cpu";
const periodUs = 100_000;

/** Gives a process, and the children it will have, a share of one core. Returns how to take it back; undefined where the kernel or
 *  the user does not allow it. */
export function pinShare(pid: number, share: number): (() => void) | undefined {
  const folder = join(root, `parlance-bench-${pid}`);
  try {
    mkdirSync(folder);
    writeFileSync(join(folder, "cpu.cfs_quota_us"), String(Math.round(share * periodUs)));
    writeFileSync(join(folder, "cgroup.procs"), String(pid));
  } catch {
    return undefined;
  }
  return () => {
    try {
      rmdirSync(folder);
    } catch {
      // Its last process is not quite gone; an empty folder harms nobody.
    }
  };
}
