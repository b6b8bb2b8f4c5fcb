import type { Worker } from "node:worker_threads";
import { siblingModule, startThread } from "../../../platform/sibling-module.ts";
import type { DatabaseCall, FromDatabaseThread, OpenFolder } from "./thread-protocol.ts";

interface Waiting {
  resolve(result: unknown): void;
  reject(error: Error): void;
}

interface QueryOptions {
  rowMode?: "array" | "object";
}

/** Speaks to the database's thread in the few words that Drizzle's PGlite driver uses. */
export class ThreadClient {
  readonly #worker: Worker;
  readonly #waiting = new Map<number, Waiting>();
  readonly #listeners = new Map<string, (payload: string) => void>();
  #nextId = 1;

  static #prepared: Worker | undefined;

  /** Starts the thread before its folder is known. It must not keep a process going that ends without opening one. */
  static prepare(): void {
    ThreadClient.#prepared ??= startThread(siblingModule(import.meta.url, "./thread"));
    ThreadClient.#prepared.unref();
  }

  static open(folder: string): Promise<ThreadClient> {
    const worker = ThreadClient.#prepared ?? startThread(siblingModule(import.meta.url, "./thread"));
    ThreadClient.#prepared = undefined;
    worker.ref();
    worker.postMessage({ folder } satisfies OpenFolder);
    return new Promise((resolve, reject) => {
      worker.once("error", reject);
      worker.once("exit", () => reject(new Error("the embedded database has stopped")));
      worker.once("message", (message: FromDatabaseThread) => {
        if (message.type === "open-failed") reject(new Error(message.message));
        else resolve(new ThreadClient(worker));
      });
    });
  }

  private constructor(worker: Worker) {
    this.#worker = worker;
    worker.on("message", (message: FromDatabaseThread) => this.#receive(message));
    worker.on("error", (error) => this.#failAll(error as Error));
    worker.on("exit", () => this.#failAll(new Error("the embedded database has stopped")));
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
    await this.#call({ op: "close" });
    await this.#worker.terminate();
  }

  #call(call: DatabaseCall): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const id = this.#nextId++;
      this.#waiting.set(id, { resolve, reject });
      this.#worker.postMessage({ ...call, id });
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

  #failAll(error: Error): void {
    for (const waiting of this.#waiting.values()) waiting.reject(error);
    this.#waiting.clear();
  }
}
