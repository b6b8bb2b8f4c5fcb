import { readFileSync } from "node:fs";
import { Problem } from "../../../platform/errors.ts";
import type { Log } from "../../../platform/log.ts";
import { execArgvFor } from "../../../platform/sibling-module.ts";
import { type Cage, cageOf } from "./cage/cage.ts";
import { NO_TELEMETRY } from "./no-telemetry.ts";
import { type FromChild, fromWire, type ToChild } from "./protocol.ts";
import { startAside } from "./start-aside.ts";
import { type StartedChild, startChild } from "./start-child.ts";

export interface ChildOptions {
  name: string;
  /** Path of the module that calls `serveChild`. */
  module: string;
  /** Handed to the child's `load`. Evaluated at each start, so that it may name files that arrived meanwhile. */
  settings: () => unknown;
  /** Variables beside those for paths; the rest of the server's own environment never reaches a child. */
  env?: Record<string, string>;
  /** Heap of JavaScript objects. */
  heapLimitMb?: number;
  /** Above this resident size the child is killed at once. */
  memoryLimitMb: number;
  loadDeadlineMs: number;
  /** 0 is the server's own priority, 19 the most polite. */
  niceness: number;
  /** A child is started for every few jobs, and must not hold up the server each time. */
  isReplacedOften: boolean;
  /** For children that read untrusted bytes. */
  cage?: Cage;
  log: Log;
}

export interface JobEvents {
  onChunk(value: unknown): void;
  onEnd(): void;
  onError(problem: Problem): void;
}

/** How far every engine but the quickest stands behind the server itself, whose work is short and which everybody waits for; among
 *  themselves they stay where they are. The chat model, at 2, took two fifths of a core that the server wanted, and takes a sixth at 7.
 *  A thread that wakes every 2 ms beside three busy children was late by 35 ms at its 99th percentile with them at 5, by 17 to 23 ms at
 *  13 (two busy cores); 5 is a guess between that and other programs of the machine, which engines stand behind, too. */
const behindServer = 5;
const mostPolite = 19;

const heartbeatMs = 1000;
/** Only an idle child must answer at once: native inference may hold its event loop for the length of a job. */
const silenceLimitMs = 15_000;

/** One running child: loads, runs jobs, and is killed rather than waited for. */
export class EngineChild {
  readonly ready: Promise<void>;
  readonly exited: Promise<void>;
  rssBytes = 0;
  /** Set when the process must not be given another job. */
  isDead = false;
  readonly #options: ChildOptions;
  readonly #process: StartedChild;
  readonly #jobs = new Map<number, JobEvents>();
  readonly #heartbeat: NodeJS.Timeout;
  #lastHeardMs = Date.now();
  #deathReason: string | undefined;
  #nextId = 1;
  #receive: (message: FromChild) => void = () => {};

  constructor(options: ChildOptions) {
    this.#options = options;
    const start = options.isReplacedOften ? startAside : startChild;
    const isBuilt = options.module.endsWith(".js");
    const cage = options.cage && isBuilt ? cageOf(options.cage, options.memoryLimitMb) : { execArgv: [], env: {} };
    let onExit = () => {};
    this.exited = new Promise((resolve) => {
      onExit = resolve;
    });
    this.#process = start(
      {
        module: options.module,
        execArgv: [
          ...cage.execArgv,
          ...execArgvFor(options.module),
          ...(options.heapLimitMb ? [`--max-old-space-size=${options.heapLimitMb}`] : []),
        ],
        env: { ...pick(process.env, "PATH", "HOME", "TMPDIR"), ...NO_TELEMETRY, ...options.env, ...cage.env },
        niceness: options.niceness && Math.min(mostPolite, behindServer + options.niceness),
      },
      {
        onMessage: (message) => this.#receive(message as FromChild),
        onOutput: (text) => options.log.debug({ engine: options.name, output: text.slice(0, 2000) }, "engine output"),
        onEnd: (reason) => {
          this.#die(this.#deathReason ?? reason);
          onExit();
        },
      },
    );
    this.ready = this.#load();
    this.ready.catch(() => {});
    this.#heartbeat = setInterval(() => this.#check(), heartbeatMs);
    this.#heartbeat.unref();
  }

  get pid(): number | undefined {
    return this.#process.pid;
  }

  get activeJobs(): number {
    return this.#jobs.size;
  }

  /** Starts a job and returns how to steer it. */
  start(task: string, input: unknown, events: JobEvents): { acknowledge(): void; cancel(): void } {
    const id = this.#nextId++;
    this.#jobs.set(id, events);
    this.#send({ type: "start", id, task, input });
    return {
      acknowledge: () => this.#send({ type: "ack", id }),
      cancel: () => this.#send({ type: "cancel", id }),
    };
  }

  kill(reason: string): void {
    this.#deathReason ??= reason;
    this.isDead = true;
    this.#process.kill();
  }

  #load(): Promise<void> {
    return new Promise((resolve, reject) => {
      const deadline = setTimeout(() => {
        this.kill(`did not load within ${Math.round(this.#options.loadDeadlineMs / 1000)} s`);
      }, this.#options.loadDeadlineMs);
      deadline.unref();
      const settle = (action: () => void) => {
        clearTimeout(deadline);
        action();
      };
      this.#receive = (message) => {
        this.#lastHeardMs = Date.now();
        if (message.type === "booted") {
          this.#send({ type: "load", settings: this.#options.settings() });
        } else if (message.type === "ready") {
          settle(resolve);
        } else if (message.type === "load-failed") {
          const problem = fromWire(this.#options.name, message.error);
          settle(() => reject(problem));
          this.kill(`failed to load: ${message.error.message}`);
        } else {
          this.#handle(message);
        }
      };
      void this.exited.then(() =>
        settle(() =>
          reject(new Problem("engine_unavailable", `The ${this.#options.name} engine ${this.#deathReason}.`)),
        ),
      );
    });
  }

  #handle(message: FromChild): void {
    if (message.type === "pong") {
      this.rssBytes = message.rssBytes;
      return;
    }
    if (!("id" in message)) return;
    const job = this.#jobs.get(message.id);
    if (!job) return;
    if (message.type === "chunk") {
      job.onChunk(message.value);
      return;
    }
    this.#jobs.delete(message.id);
    if (message.type === "end") job.onEnd();
    else {
      if (!message.error.kind) {
        this.#options.log.error({ engine: this.#options.name, error: message.error }, "engine task failed");
      }
      job.onError(fromWire(this.#options.name, message.error));
    }
  }

  #check(): void {
    this.rssBytes = readRssBytes(this.#process.pid) ?? this.rssBytes;
    if (this.rssBytes > this.#options.memoryLimitMb * 1024 * 1024) {
      this.kill(`used more than its ${this.#options.memoryLimitMb} MB of memory`);
    } else if (
      this.#jobs.size === 0 &&
      Date.now() - this.#lastHeardMs > silenceLimitMs + this.#options.loadDeadlineMs
    ) {
      this.kill("stopped answering");
    } else {
      this.#send({ type: "ping" });
    }
  }

  #die(reason: string): void {
    clearInterval(this.#heartbeat);
    this.isDead = true;
    this.#deathReason ??= reason;
    const problem = new Problem(
      "engine_unavailable",
      `The ${this.#options.name} engine ${this.#deathReason}. Try again.`,
    );
    for (const job of this.#jobs.values()) job.onError(problem);
    this.#jobs.clear();
  }

  #send(message: ToChild): void {
    if (!this.isDead) this.#process.send(message);
  }
}

function pick(env: NodeJS.ProcessEnv, ...names: string[]): Record<string, string> {
  return Object.fromEntries(names.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]])));
}

/** Linux tells the resident size of a child even while its event loop is busy; elsewhere its own answer must do. */
function readRssBytes(pid: number | undefined): number | undefined {
  try {
    const pages = readFileSync(`/proc/${pid}/statm`, "utf8").split(" ")[1];
    return Number(pages) * 4096;
  } catch {
    return undefined;
  }
}
