import { closeSync, constants, openSync, statSync } from "node:fs";
import koffi from "koffi";
import type { CageRules } from "./cage.ts";
import { filterFor, type Numbers, numbersFor } from "./filter.ts";

// Goes into the cage, before anything else is loaded: `node -r enter-cage.cjs`. The build makes a CommonJS module of it, because those
// are read without a second thread, and some of what follows holds only for this thread and those that it starts later.

const PR_SET_NO_NEW_PRIVS = 38;
const PR_CAPBSET_DROP = 24;
const CAPABILITY_VERSION_3 = 0x20080522;
const LAST_CAPABILITY = 40;
const RLIMIT_DATA = 2;
const RLIMIT_CORE = 4;
const LANDLOCK_VERSION = 1;
const LANDLOCK_PATH_BENEATH = 1;
const SECCOMP_SET_MODE_FILTER = 1;
const SECCOMP_ALL_THREADS = 1;
/** Rights on files that Landlock had in its first version: to run, write and read them; and on folders. */
const RUN = 1 << 0;
const WRITE = 1 << 1;
const READ = 1 << 2;
const LIST = 1 << 3;
const FIRST_RIGHTS = (1 << 13) - 1;
/** Added by later ones: to move between folders (2), to truncate (3). */
const MOVE = 1 << 13;
const TRUNCATE = 1 << 14;
/** No signals to processes outside, and none of the sockets that have a name but no file (6). */
const SCOPES = 3;
const OF_FILES = RUN | WRITE | READ | TRUNCATE;

const gaps: string[] = [];
(globalThis as { parlanceCageGaps?: string[] }).parlanceCageGaps = gaps;
const { PARLANCE_CAGE: described } = process.env;
const numbers = numbersFor(process.arch);
if (process.platform !== "linux" || !numbers) gaps.push("only Linux on x64 and arm64 can");
else if (described) enter(JSON.parse(described) as CageRules, numbers);
delete process.env.PARLANCE_CAGE;

function enter(rules: CageRules, n: Numbers): void {
  const libc = koffi.load("libc.so.6");
  // One shape for numbers and one for each place of a pointer; what is left over is ignored.
  const call = libc.func("long syscall(long, long, long, long, long, long)");
  const callAt1 = libc.func("long syscall(long, const void *, long, long, long, long)");
  const callAt2 = libc.func("long syscall(long, const void *, const void *, long, long, long)");
  const callAt3 = libc.func("long syscall(long, long, long, const void *, long, long)");
  const attempt = (what: string, result: number): number => {
    if (result < 0) gaps.push(`${what} (error ${koffi.errno()})`);
    return result;
  };

  limit(RLIMIT_DATA, rules.dataBytes, "no limit of memory");
  limit(RLIMIT_CORE, 0, "a crash may leave what it read in a file");
  dropCapabilities();
  attempt("programs may gain rights", call(n.prctl, PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0));
  closeDisk();
  closeRest();

  function limit(which: number, most: number, gap: string): void {
    const pair = new BigUint64Array([BigInt(most), BigInt(most)]);
    attempt(gap, callAt3(n.prlimit64, 0, which, pair, 0, 0));
  }

  /** As a user without them there is nothing to drop. */
  function dropCapabilities(): void {
    for (let capability = 0; capability <= LAST_CAPABILITY; capability++)
      call(n.prctl, PR_CAPBSET_DROP, capability, 0, 0, 0);
    const header = new Uint32Array([CAPABILITY_VERSION_3, 0]);
    attempt("capabilities stay", callAt2(n.capset, header, new Uint32Array(6), 0, 0, 0));
  }

  function closeDisk(): void {
    const version = Number(call(n.landlock_create_ruleset, 0, 0, LANDLOCK_VERSION, 0, 0));
    if (version < 1) {
      gaps.push("other files can be read: the kernel has no Landlock");
      return;
    }
    const known = FIRST_RIGHTS | (version >= 2 ? MOVE : 0) | (version >= 3 ? TRUNCATE : 0);
    const guarded = new BigUint64Array([BigInt(known), 0n, BigInt(SCOPES)]);
    const ruleset = attempt(
      "other files can be read",
      Number(callAt1(n.landlock_create_ruleset, guarded, version >= 6 ? 24 : 8, 0, 0, 0)),
    );
    if (ruleset < 0) return;
    for (const path of rules.reads) allow(path, READ | LIST | (rules.mayRun ? RUN : 0));
    for (const path of rules.writes) allow(path, known & ~RUN);
    attempt("other files can be read", call(n.landlock_restrict_self, ruleset, 0, 0, 0, 0));
    closeSync(ruleset);

    function allow(path: string, rights: number): void {
      let file: number;
      try {
        // O_PATH, which Node has no name for.
        file = openSync(path, constants.O_RDONLY | 0o10000000);
      } catch {
        return;
      }
      const fitting = statSync(path).isDirectory() ? rights : rights & OF_FILES;
      const rule = Buffer.alloc(12);
      rule.writeBigUInt64LE(BigInt(fitting & known), 0);
      rule.writeInt32LE(file, 8);
      callAt3(n.landlock_add_rule, ruleset, LANDLOCK_PATH_BENEATH, rule, 0, 0);
      closeSync(file);
    }
  }

  /** Network, other processes, and what else no reader of files needs. The last, since it closes what the others are done with. */
  function closeRest(): void {
    const program = filterFor(n, process.pid, rules.mayRun);
    const header = Buffer.alloc(16);
    header.writeUInt16LE(program.length / 8, 0);
    header.writeBigUInt64LE(koffi.address(program), 8);
    const gap = "it can reach the network and other processes";
    attempt(gap, callAt3(n.seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_ALL_THREADS, header, 0, 0));
  }
}
