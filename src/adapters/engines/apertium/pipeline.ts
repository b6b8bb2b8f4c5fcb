import { type ChildProcessByStdio, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import type { Readable, Writable } from "node:stream";
import { readMode, writePipeline } from "./read-mode.ts";

/** A mode's programs, kept running: a text ends with a zero byte, and so does its translation. */
export class Pipeline {
  lastUsedMs = Date.now();
  isDead = false;
  readonly #process: ChildProcessByStdio<Writable, Readable, null>;
  readonly #waiting: { resolve(text: string): void; reject(error: Error): void; alarm: NodeJS.Timeout }[] = [];
  #arrived: Buffer[] = [];

  constructor(modeFile: string) {
    const line = writePipeline(readMode(readFileSync(modeFile, "utf8")));
    this.#process = spawn("sh", ["-c", line], {
      stdio: ["pipe", "pipe", "ignore"],
      // Apertium's programs read and write UTF-8 only under a locale that says so.
      env: { PATH: process.env.PATH ?? "/usr/bin:/bin", LC_ALL: "C.UTF-8" },
      detached: true,
    });
    this.#process.stdout.on("data", (bytes: Buffer) => this.#receive(bytes));
    this.#process.stdin.on("error", () => this.kill("broke off"));
    this.#process.once("error", () => this.kill("could not be started"));
    this.#process.once("exit", () => this.kill("ended"));
  }

  get isIdle(): boolean {
    return this.#waiting.length === 0;
  }

  /** Answers come in the order of the questions. One that takes too long ends the pipeline, since it is stuck. */
  translate(stream: string, timeoutMs = 30_000): Promise<string> {
    this.lastUsedMs = Date.now();
    return new Promise((resolve, reject) => {
      const alarm = setTimeout(() => this.kill("did not answer"), timeoutMs);
      this.#waiting.push({ resolve, reject, alarm });
      this.#process.stdin.write(`${stream}\0`);
    });
  }

  kill(reason: string): void {
    if (this.isDead) return;
    this.isDead = true;
    for (const { reject, alarm } of this.#waiting.splice(0)) {
      clearTimeout(alarm);
      reject(new Error(`the translation programs ${reason}`));
    }
    try {
      // The shell and all of its programs form a group of their own.
      if (this.#process.pid) process.kill(-this.#process.pid, "SIGKILL");
    } catch {
      // They are gone already.
    }
  }

  #receive(bytes: Buffer): void {
    let rest = bytes;
    for (let end = rest.indexOf(0); end >= 0; end = rest.indexOf(0)) {
      const text = Buffer.concat([...this.#arrived, rest.subarray(0, end)]).toString("utf8");
      this.#arrived = [];
      rest = rest.subarray(end + 1);
      const next = this.#waiting.shift();
      clearTimeout(next?.alarm);
      next?.resolve(text);
    }
    if (rest.length > 0) this.#arrived.push(rest);
  }
}
