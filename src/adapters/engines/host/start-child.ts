import { fork } from "node:child_process";
import { setPriority } from "node:os";

/** How a child process is started. Plain values: they may travel to another thread. */
export interface StartOptions {
  readonly module: string;
  readonly execArgv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** 0 is the server's own priority, 19 the most polite. */
  readonly niceness: number;
}

/** What becomes of it. */
export interface ChildEvents {
  onMessage(message: unknown): void;
  onOutput(text: string): void;
  /** Once, and the last. */
  onEnd(reason: string): void;
}

export interface StartedChild {
  /** Unknown until it has started. */
  readonly pid: number | undefined;
  /** Nothing happens when it has ended. */
  send(message: unknown): void;
  kill(): void;
}

/** Starts a child from this thread. */
export function startChild(options: StartOptions, { onMessage, onOutput, onEnd }: ChildEvents): StartedChild {
  const child = fork(options.module, [], {
    serialization: "advanced",
    execArgv: [...options.execArgv],
    env: options.env,
    stdio: ["ignore", "pipe", "pipe", "ipc"],
  });
  // Threads that it starts later have the priority of the one that it begins with.
  if (options.niceness > 0 && child.pid) trySetPriority(child.pid, options.niceness);
  // A child's chatter must not fill a pipe.
  for (const stream of [child.stdout, child.stderr]) stream?.setEncoding("utf8").on("data", onOutput);
  child.on("message", onMessage);
  let hasEnded = false;
  const end = (reason: string) => {
    if (!hasEnded) onEnd(reason);
    hasEnded = true;
  };
  child.once("exit", (code, signal) => end(`ended unexpectedly (${signal ?? `exit code ${code}`})`));
  child.once("error", (error) => end(`could not be started: ${error.message}`));
  return {
    get pid() {
      return child.pid;
    },
    send(message) {
      if (child.connected) child.send(message as object, () => {});
    },
    kill: () => void child.kill("SIGKILL"),
  };
}

function trySetPriority(pid: number, niceness: number): void {
  try {
    setPriority(pid, niceness);
  } catch {
    // Not allowed here; the engine runs at the server's priority.
  }
}
