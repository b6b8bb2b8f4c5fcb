import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import type { Log } from "../../../../platform/log.ts";
import { packageRoot } from "../../../../platform/package-root.ts";

/** What a process that reads untrusted bytes may do beyond computing: it has no network, no other process, and of the disk only this. */
export interface Cage {
  /** Files and folders beside the program's own and the system's. */
  readonly reads?: readonly string[];
  /** A program that it may run, which is in the same cage. */
  readonly runs?: string;
  readonly writes?: readonly string[];
}

/** How the cage is described to the child (enter-cage.ts). */
export interface CageRules {
  readonly reads: readonly string[];
  readonly writes: readonly string[];
  readonly mayRun: boolean;
  /** What it may have allocated, in bytes. */
  readonly dataBytes: number;
}

/** Libraries, time zones and fonts; what runtimes look up about the machine; of processes only its own. */
const ofSystem = [
  ...["/usr", "/lib", "/lib64", "/etc/ld.so.cache", "/etc/localtime", "/etc/fonts", "/var/cache/fontconfig"],
  ...["/proc/self", "/proc/cpuinfo", "/proc/meminfo", "/proc/stat", "/proc/sys/vm", "/sys/devices/system/cpu"],
  ...["/sys/fs/cgroup", "/dev/zero", "/dev/random", "/dev/urandom"],
];
const writable = ["/dev/null"];

/** Stacks of threads and what is reserved but not yet used count as allocated, too (measured: 300 to 450 MB; the rest is room). */
const reservedMb = 1024;

/** Options and variables for a child that goes into the cage before it reads its first module. Only built children can: sources are
 *  compiled as they are read, by a process of their own. */
export function cageOf(
  { reads = [], writes = [], runs }: Cage,
  memoryLimitMb: number,
): { execArgv: string[]; env: Record<string, string> } {
  const rules: CageRules = {
    reads: [...ofSystem, ...ofProgram(), ...reads, ...(runs ? [dirname(runs)] : [])],
    writes: [...writable, ...writes],
    mayRun: runs !== undefined,
    dataBytes: (memoryLimitMb + reservedMb) * 1024 * 1024,
  };
  return { execArgv: ["-r", entrance()], env: { PARLANCE_CAGE: JSON.stringify(rules) } };
}

/** Never the data folder, wherever that is, nor .env. */
function ofProgram(): string[] {
  const parts = ["dist", "src", "models", "package.json"].map((name) => join(packageRoot(), name));
  for (let folder = packageRoot(); ; folder = dirname(folder)) {
    parts.push(join(folder, "node_modules"));
    if (dirname(folder) === folder) return parts.filter((part) => existsSync(part));
  }
}

const entrance = () => join(packageRoot(), "dist", "adapters", "engines", "host", "cage", "enter-cage.cjs");

/** Once, at the start. */
export function reportGaps(log: Log): void {
  void findGaps().then((gaps) => {
    if (gaps.length > 0) log.warn({ gaps }, "processes that read files are not fully caged; see docs/security.md");
  });
}

/** What of the cage this machine cannot keep, as sentences; none when all of it holds. Found out by going into one. */
export async function findGaps(): Promise<string[]> {
  if (process.platform !== "linux")
    return ["only Linux can keep processes that read files from the network and the disk"];
  if (!existsSync(entrance())) return ["the program runs from its sources; build it (npm run build)"];
  const { execArgv, env } = cageOf({}, 512);
  const show = "process.stdout.write(JSON.stringify(globalThis.parlanceCageGaps ?? ['it was not entered']))";
  try {
    const { stdout } = await promisify(execFile)(process.execPath, [...execArgv, "-e", show], { env: { ...env } });
    return JSON.parse(stdout) as string[];
  } catch (error) {
    return [
      `a process cannot go into it: ${String((error as Error).message)
        .split("\n")
        .at(-1)}`,
    ];
  }
}
