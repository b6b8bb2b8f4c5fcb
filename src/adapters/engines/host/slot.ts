import { type ChildOptions, EngineChild } from "./engine-child.ts";

/** A place for one child at a time, with the memory of how its predecessors fared. */
export class Slot {
  child: EngineChild | undefined;
  reserved = 0;
  served = 0;
  isReady = false;
  isRetiring = false;
  lastFailure: string | undefined;
  #failures = 0;
  #retryAtMs = 0;
  #starting: Promise<EngineChild> | undefined;

  ensure(options: ChildOptions, onRestart: () => void): Promise<EngineChild> {
    if (this.child && !this.child.isDead) return this.child.ready.then(() => this.child!);
    this.#starting ??= this.#start(options, onRestart).finally(() => {
      this.#starting = undefined;
    });
    return this.#starting;
  }

  async #start(options: ChildOptions, onRestart: () => void): Promise<EngineChild> {
    if (this.child) onRestart();
    this.isReady = false;
    const waitMs = this.#retryAtMs - Date.now();
    if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs));
    const child = new EngineChild(options);
    this.child = child;
    this.served = 0;
    void child.exited.then(() => {
      if (this.child === child) this.isReady = false;
    });
    try {
      await child.ready;
      this.isReady = true;
      this.#failures = 0;
      this.lastFailure = undefined;
      return child;
    } catch (error) {
      this.#failures += 1;
      this.#retryAtMs = Date.now() + Math.min(30_000, 250 * 2 ** this.#failures);
      this.lastFailure = error instanceof Error ? error.message : String(error);
      throw error;
    }
  }
}
