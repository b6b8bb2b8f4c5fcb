import { AsyncLocalStorage } from "node:async_hooks";

/** Time of the simulation: stands still until it is moved, and belongs to who runs in it. */
export class VirtualTime {
  nowMs = Date.UTC(2026, 0, 1);
  readonly #owners = new AsyncLocalStorage<object>();
  readonly #real = { setInterval, setTimeout, clearInterval, clearTimeout };
  #timers: Timer[] = [];

  /** Timers that are set within belong to `owner`. Others are the process's own. */
  runAs<Result>(owner: object, work: () => Result): Result {
    return this.#owners.run(owner, work);
  }

  install(): void {
    const real = this.#real;
    const set = (repeats: boolean) => {
      const usual = (repeats ? real.setInterval : real.setTimeout) as (...args: unknown[]) => unknown;
      return (run: () => void, ms = 0, ...rest: unknown[]) => {
        const owner = this.#owners.getStore();
        if (!owner) return usual(run, ms, ...rest);
        const timer = new Timer(owner, run, this.nowMs + ms, repeats ? ms : undefined);
        this.#timers.push(timer);
        return timer;
      };
    };
    const clear = (usual: typeof clearTimeout) => (timer: unknown) => {
      if (timer instanceof Timer) this.#timers = this.#timers.filter((one) => one !== timer);
      else usual(timer as NodeJS.Timeout);
    };
    Object.assign(globalThis, {
      setInterval: set(true),
      setTimeout: set(false),
      clearInterval: clear(real.clearInterval),
      clearTimeout: clear(real.clearTimeout),
    });
  }

  uninstall(): void {
    Object.assign(globalThis, this.#real);
  }

  /** Nothing of it happens any more. */
  end(owner: object): void {
    this.#timers = this.#timers.filter((one) => one.owner !== owner);
  }

  /** What is due runs once, however long it was due; with an owner only its own, as if all others had stood still. */
  advance(ms: number, owner?: object): void {
    this.nowMs += ms;
    const due = this.#timers.filter((timer) => timer.atMs <= this.nowMs && (!owner || timer.owner === owner));
    for (const timer of due) {
      if (timer.everyMs === undefined) this.#timers = this.#timers.filter((one) => one !== timer);
      else timer.atMs = this.nowMs + timer.everyMs;
      this.runAs(timer.owner, timer.run);
    }
  }
}

class Timer {
  readonly owner: object;
  readonly run: () => void;
  atMs: number;
  readonly everyMs: number | undefined;

  constructor(owner: object, run: () => void, atMs: number, everyMs: number | undefined) {
    this.owner = owner;
    this.run = run;
    this.atMs = atMs;
    this.everyMs = everyMs;
  }

  unref(): this {
    return this;
  }
}
