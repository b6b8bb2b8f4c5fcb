import type { Worker } from "node:worker_threads";
import { DatabaseStopped } from "../../../platform/database-error.ts";
import { siblingModule, startThread } from "../../../platform/sibling-module.ts";
import type { DatabaseCall, FromDatabaseThread, OpenFolder } from "./thread-protocol.ts";

interface Waiting {
  resolve(result: unknown): void;
  reject(error: Error): void;
}

interface QueryOptions {
  rowMode?: "array" | "object";
}

const stopped = () => new DatabaseStopped("the embedded database has stopped and is being restarted");
/** Between two attempts to open the folder again, at first and at most. */
const retryMs = { first: 200, most: 10_000 };

/** Speaks to the database's thread in the few words that Drizzle's PGlite driver uses. A thread that ends (its program aborted, or
 *  ran out of memory) is replaced; what it was asked meanwhile fails at once, and nothing that was acknowledged is lost. */
export class ThreadClient {
  readonly #folder: string;
  #worker: Worker | undefined;
  #isClosed = false;
  readonly #waiting = new Map<number, Waiting>();
  readonly #listeners = new Map<string, (payload: string) => void>();
  #nextId = 1;

  static #prepared: Worker | undefined;

  /** Starts the thread before its folder is known. It must not keep a process going that ends without opening one. */
  static prepare(): void {
    ThreadClient.#prepared ??= startThread(siblingModule(import.meta.url, "./thread"));
    ThreadClient.#prepared.unref();
  }

  static async open(folder: string): Promise<ThreadClient> {
    const client = new ThreadClient(folder);
    client.#use(await openThread(folder, ThreadClient.#takePrepared()));
    return client;
  }

  static #takePrepared(): Worker | undefined {
    const prepared = ThreadClient.#prepared;
    ThreadClient.#prepared = undefined;
    return prepared;
  }

  private constructor(folder: string) {
    this.#folder = folder;
  }

  #use(worker: Worker): void {
    this.#worker = worker;
    worker.on("message", (message: FromDatabaseThread) => this.#receive(message));
    worker.on("error", () => this.#failAll());
    worker.once("exit", () => {
      this.#worker = undefined;
      this.#failAll();
      if (!this.#isClosed) void this.#restart(retryMs.first);
    });
  }

  async #restart(pauseMs: number): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, pauseMs).unref());
    if (this.#isClosed) return;
    try {
      this.#use(await openThread(this.#folder));
      for (const channel of this.#listeners.keys()) await this.#call({ op: "listen", channel });
    } catch {
      // A full disk, most likely. Queries say so until it works again.
      if (!this.#worker) void this.#restart(Math.min(retryMs.most, pauseMs * 2));
    }
  }

  query(sql: string, parameters: unknown[] = [], options?: QueryOptions, transaction?: number): Promise<unknown> {
    const rowMode = options?.rowMode ?? "object";
    return this.#call({ op: "query", sql, parameters, rowMode, ...(transaction ? { transaction } : {}) });
  }

  exec(sql: string, transaction?: number): Promise<unknown> {
    return this.#call({ op: "exec", sql, ...(transaction ? { transaction } : {}) });
  }

  async transaction<Result>(work: (transaction: unknown) => Promise<Result>): Promise<Result> {
    const transaction = this.#nextId++;
    await this.#call({ op: "begin", transaction });
    const inside = {
      query: (sql: string, parameters?: unknown[], options?: QueryOptions) =>
        this.query(sql, parameters, options, transaction),
      exec: (sql: string) => this.exec(sql, transaction),
    };
    let result: Result;
    try {
      result = await work(inside);
    } catch (error) {
      await this.#call({ op: "end", transaction, commits: false });
      throw error;
    }
    await this.#call({ op: "end", transaction, commits: true });
    return result;
  }

  async listen(channel: string, onNotify: (payload: string) => void): Promise<void> {
    this.#listeners.set(channel, onNotify);
    await this.#call({ op: "listen", channel });
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    const worker = this.#worker;
    if (!worker) return;
    await this.#call({ op: "close" });
    await worker.terminate();
  }

  #call(call: DatabaseCall): Promise<unknown> {
    const worker = this.#worker;
    if (!worker) return Promise.reject(stopped());
    return new Promise((resolve, reject) => {
      const id = this.#nextId++;
      this.#waiting.set(id, { resolve, reject });
      worker.postMessage({ ...call, id });
    });
  }

  #receive(message: FromDatabaseThread): void {
    if (message.type === "notification") {
      this.#listeners.get(message.channel)?.(message.payload);
    } else if (message.type === "result" || message.type === "failure") {
      const waiting = this.#waiting.get(message.id);
      this.#waiting.delete(message.id);
      if (message.type === "result") waiting?.resolve(message.result);
      else waiting?.reject(Object.assign(new Error(message.error.message), message.error));
    }
  }

  #failAll(): void {
    for (const waiting of this.#waiting.values()) waiting.reject(stopped());
    this.#waiting.clear();
  }
}

function openThread(folder: string, prepared?: Worker): Promise<Worker> {
  const worker = prepared ?? startThread(siblingModule(import.meta.url, "./thread"));
  worker.ref();
  worker.postMessage({ folder } satisfies OpenFolder);
  return new Promise((resolve, reject) => {
    worker.once("error", reject);
    worker.once("exit", () => reject(stopped()));
    worker.once("message", (message: FromDatabaseThread) => {
      if (message.type !== "open-failed") return resolve(worker);
      reject(new Error(message.message));
      void worker.terminate();
    });
  });
}
