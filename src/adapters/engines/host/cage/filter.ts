/** The numbers that the kernel knows its calls by, on x64 and on arm64. What is missing is not there. */
const table = {
  // Needed to go in.
  prctl: [157, 167],
  capset: [126, 91],
  prlimit64: [302, 261],
  seccomp: [317, 277],
  landlock_create_ruleset: [444, 444],
  landlock_add_rule: [445, 445],
  landlock_restrict_self: [446, 446],
  // The network, and everything that a socket leads to; a pair of streams leads nowhere, and runtimes wake each other with it.
  socket: [41, 198],
  socketpair: [53, 199],
  connect: [42, 203],
  bind: [49, 200],
  listen: [50, 201],
  accept: [43, 202],
  accept4: [288, 242],
  io_uring_setup: [425, 425],
  // Other processes.
  fork: [57],
  vfork: [58],
  clone: [56, 220],
  clone3: [435, 435],
  execve: [59, 221],
  execveat: [322, 281],
  kill: [62, 129],
  tgkill: [234, 131],
  tkill: [200, 130],
  rt_sigqueueinfo: [129, 138],
  rt_tgsigqueueinfo: [297, 240],
  pidfd_open: [434, 434],
  pidfd_send_signal: [424, 424],
  pidfd_getfd: [438, 438],
  ptrace: [101, 117],
  setpriority: [141, 140],
  ioprio_set: [251, 30],
  sched_setparam: [142, 118],
  sched_setscheduler: [144, 119],
  sched_setattr: [314, 274],
  sched_setaffinity: [203, 122],
  migrate_pages: [256, 238],
  move_pages: [279, 239],
  process_vm_readv: [310, 270],
  process_vm_writev: [311, 271],
  shmget: [29, 194],
  semget: [64, 190],
  msgget: [68, 186],
  mq_open: [240, 180],
  // What Landlock does not guard.
  truncate: [76, 45],
  chmod: [90],
  fchmod: [91, 52],
  fchmodat: [268, 53],
  fchmodat2: [452, 452],
  chown: [92],
  fchown: [93, 55],
  lchown: [94],
  fchownat: [260, 54],
  utimensat: [280, 88],
  setxattr: [188, 5],
  lsetxattr: [189, 6],
  removexattr: [197, 14],
  lremovexattr: [198, 15],
  chroot: [161, 51],
  open_by_handle_at: [304, 265],
  // The kernel itself.
  mount: [165, 40],
  umount2: [166, 39],
  pivot_root: [155, 41],
  move_mount: [429, 429],
  open_tree: [428, 428],
  fsopen: [430, 430],
  unshare: [272, 97],
  setns: [308, 268],
  bpf: [321, 280],
  perf_event_open: [298, 241],
  keyctl: [250, 219],
  add_key: [248, 217],
  request_key: [249, 218],
  userfaultfd: [323, 282],
  init_module: [175, 105],
  finit_module: [313, 273],
  delete_module: [176, 106],
  kexec_load: [246, 104],
  kexec_file_load: [320, 294],
  reboot: [169, 142],
  swapon: [167, 224],
  acct: [163, 89],
  quotactl: [179, 60],
  syslog: [103, 116],
} as const satisfies Record<string, readonly [x64: number, arm64?: number]>;

type Name = keyof typeof table;
export type Numbers = Readonly<Record<Name, number>> & { readonly architecture: number };

const entering: readonly Name[] = [
  ...(["prctl", "capset", "seccomp"] as const),
  ...(["landlock_create_ruleset", "landlock_add_rule", "landlock_restrict_self"] as const),
];
/** What a program that runs another needs. */
const running: readonly Name[] = ["fork", "vfork", "clone", "clone3", "execve", "execveat"];
/** Allowed for this process alone, which aborts by a signal to itself; one that runs another program must be able to end it. */
const ofItself = (mayRun: boolean): readonly Name[] => (mayRun ? ["prlimit64"] : ["kill", "tgkill", "prlimit64"]);

/** How the kernel calls the architecture whose numbers these are. */
const AUDIT = { x64: 0xc000003e, arm64: 0xc00000b7 };

export function numbersFor(arch: string): Numbers | undefined {
  if (arch !== "x64" && arch !== "arm64") return undefined;
  const column = arch === "x64" ? 0 : 1;
  const named = Object.entries(table).map(([name, numbers]) => [name, (numbers as readonly number[])[column] ?? -1]);
  return { ...Object.fromEntries(named), architecture: AUDIT[arch] } as Numbers;
}

const LOAD = 0x20;
const JUMP_IF_EQUAL = 0x15;
const JUMP_IF_AT_LEAST = 0x35;
const JUMP_IF_ANY_BIT = 0x45;
const AND = 0x54;
const RETURN = 0x06;
const ALLOW = 0x7fff0000;
const KILL = 0x80000000;
const REFUSE = 0x00050000;
const EPERM = 1;
const ENOSYS = 38;
/** Where the kernel lays the number, the architecture and the first two arguments. */
const NUMBER_AT = 0;
const ARCHITECTURE_AT = 4;
const ARGUMENT_AT = 16;
const SECOND_ARGUMENT_AT = 24;
const SOCKET_TYPE = 0xf;
const STREAM = 1;
const CLONE_THREAD = 0x10000;
/** From here on x64 counts the calls of another convention. */
const X32_FROM = 0x40000000;

/** The filter of system calls, as a program for the kernel: eight bytes an instruction. What is refused fails with EPERM, so that a library that merely tries goes on without. */
export function filterFor(numbers: Numbers, pid: number, mayRun: boolean): Buffer {
  const program: [code: number, ifTrue: number, ifFalse: number, value: number][] = [];
  const add = (code: number, value: number, ifTrue = 0, ifFalse = 0) =>
    void program.push([code, ifTrue, ifFalse, value]);
  const refuse = (name: Name, error = EPERM) => {
    if (numbers[name] < 0) return;
    add(JUMP_IF_EQUAL, numbers[name], 0, 1);
    add(RETURN, REFUSE | error);
  };
  add(LOAD, ARCHITECTURE_AT);
  add(JUMP_IF_EQUAL, numbers.architecture, 1, 0);
  add(RETURN, KILL);
  add(LOAD, NUMBER_AT);
  add(JUMP_IF_AT_LEAST, X32_FROM, 0, 1);
  add(RETURN, REFUSE | EPERM);
  if (!mayRun) {
    // A new thread is welcome. The newer call hides its flags behind a pointer; without it libc takes the older one.
    refuse("clone3", ENOSYS);
    add(JUMP_IF_EQUAL, numbers.clone, 0, 4);
    add(LOAD, ARGUMENT_AT);
    add(JUMP_IF_ANY_BIT, CLONE_THREAD, 0, 1);
    add(RETURN, ALLOW);
    add(RETURN, REFUSE | EPERM);
  }
  for (const name of ofItself(mayRun)) {
    add(JUMP_IF_EQUAL, numbers[name], 0, 5);
    add(LOAD, ARGUMENT_AT);
    add(JUMP_IF_EQUAL, pid, 2, 0);
    add(JUMP_IF_EQUAL, name === "prlimit64" ? 0 : pid, 1, 0);
    add(RETURN, REFUSE | EPERM);
    add(RETURN, ALLOW);
  }
  // Half a pair of datagram sockets could still send to any name, such as the system's log.
  add(JUMP_IF_EQUAL, numbers.socketpair, 0, 5);
  add(LOAD, SECOND_ARGUMENT_AT);
  add(AND, SOCKET_TYPE);
  add(JUMP_IF_EQUAL, STREAM, 0, 1);
  add(RETURN, ALLOW);
  add(RETURN, REFUSE | EPERM);
  const done = new Set<Name>([...entering, ...running, "kill", "tgkill", "prlimit64", "socketpair"]);
  for (const name of mayRun ? [] : running) if (name !== "clone" && name !== "clone3") refuse(name);
  for (const name of Object.keys(table) as Name[]) if (!done.has(name)) refuse(name);
  add(RETURN, ALLOW);
  const bytes = Buffer.alloc(program.length * 8);
  for (const [at, [code, ifTrue, ifFalse, value]] of program.entries()) {
    bytes.writeUInt16LE(code, at * 8);
    bytes.writeUInt8(ifTrue, at * 8 + 2);
    bytes.writeUInt8(ifFalse, at * 8 + 3);
    bytes.writeUInt32LE(value >>> 0, at * 8 + 4);
  }
  return bytes;
}
