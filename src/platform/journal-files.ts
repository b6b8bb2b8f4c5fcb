import { appendFileSync, closeSync, readFileSync, writeSync } from "node:fs";
import { join } from "node:path";

/** What the journals of crash-safe buffers have in common: one JSON value a line, in a file named after its process. */

/** The last line of a killed process may be half a line; nobody was told of it, so it is left out. */
export function parseLines<Entry>(text: string): Entry[] {
  return text.split("\n").flatMap((line) => {
    try {
      return line === "" ? [] : [JSON.parse(line) as Entry];
    } catch {
      return [];
    }
  });
}

/** An open journal that a full disk does not corrupt: what could not be written waits in memory and goes first the next time. */
export class LineFile {
  readonly path: string;
  /** So many are in the kernel's hands. */
  bytes = 0;
  readonly #file: number;
  #rest: Buffer | undefined;

  constructor(path: string, file: number) {
    this.path = path;
    this.#file = file;
  }

  /** Throws when not all of it could be handed to the kernel; none of it is lost then. */
  append(lines: string): void {
    if (this.#rest === undefined) {
      let written = 0;
      try {
        written = writeSync(this.#file, lines);
      } catch (error) {
        this.#rest = Buffer.from(lines);
        throw error;
      }
      this.bytes += written;
      if (written === Buffer.byteLength(lines)) return;
      this.#rest = Buffer.from(lines).subarray(written);
    } else if (lines !== "") {
      this.#rest = Buffer.concat([this.#rest, Buffer.from(lines)]);
    }
    this.#writeRest();
  }

  close(): void {
    closeSync(this.#file);
  }

  /** The kernel takes less than it is given when the disk fills up, and says why only at the next try. */
  #writeRest(): void {
    while (this.#rest !== undefined) {
      const written = writeSync(this.#file, this.#rest);
      this.bytes += written;
      this.#rest = written < this.#rest.length ? this.#rest.subarray(written) : undefined;
    }
  }
}

/** Keeps what the database will never take where a person can look at it. */
export function quarantine(folder: string, entries: readonly unknown[]): string {
  const path = join(folder, "quarantine.ndjson");
  appendFileSync(path, entries.map((entry) => `${JSON.stringify(entry)}\n`).join(""), { mode: 0o600 });
  return path;
}

/** How a journal's file name begins: the process that writes it, and when that began, because numbers of processes are given out
 *  again. */
export function processName(): string {
  return `${process.pid}.${startOf(process.pid) ?? 0}`;
}

/** Whether a file belongs to a process that still runs, other than this one: what this one finds at its start is an earlier one's. */
export function isOthers(fileName: string): boolean {
  const [, pid, start] = /^(\d+)(?:\.(\d+))?-/.exec(fileName) ?? [];
  if (pid === undefined || Number(pid) === process.pid || !isRunning(Number(pid))) return false;
  const since = startOf(Number(pid));
  // Files of older versions tell only the number.
  return start === undefined || since === undefined || start === "0" || since === Number(start);
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

/** In clock ticks since the machine started; undefined where /proc does not tell. */
function startOf(pid: number): number | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The second field is the program's name in brackets, which may hold blanks and brackets itself.
    return Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19]);
  } catch {
    return undefined;
  }
}
