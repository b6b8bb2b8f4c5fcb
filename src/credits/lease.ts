import type { Clock } from "../platform/clock.ts";
import { Problem } from "../platform/errors.ts";
import type { LeaseStore } from "./lease-store.ts";
import { type Pico, picosPerDollar } from "./money.ts";

const smallestStep: Pico = picosPerDollar / 10n;
const largestStep: Pico = picosPerDollar * 5n;
const refusedMs = 100;
const never = { amount: 0n, untilMs: 0 };

export interface LeaseParts {
  readonly store: LeaseStore;
  readonly owner: string;
  readonly clock: Clock;
}

/** The part of a workspace's balance that this process may spend from memory. */
export class Lease {
  readonly #parts: LeaseParts;
  readonly #workspaceId: string;
  /** As the database has it. */
  #amount: Pico = 0n;
  /** By running requests. */
  #held: Pico = 0n;
  /** Spent, but not yet in the database. */
  #unwritten: Pico = 0n;
  #growing: Promise<boolean> | undefined;
  /** What to ask for next. Who spends fast asks for more each time, until the lease has gone back. */
  #step = smallestStep;
  #usedAtMs: number;
  /** What the workspace owes, as far as this process knows: nothing more is spent until it is paid. */
  owed: Pico = 0n;
  /** The database has just refused this much; asking again at once would only make everybody wait. */
  #refused = never;

  constructor(parts: LeaseParts, workspaceId: string) {
    this.#parts = parts;
    this.#workspaceId = workspaceId;
    this.#usedAtMs = parts.clock.now();
  }

  get room(): Pico {
    return this.#amount - this.#held - this.#unwritten;
  }

  get isHeld(): boolean {
    return this.#held > 0n;
  }

  get isEmpty(): boolean {
    return this.#amount === 0n && this.#held === 0n && !this.#growing && this.owed === 0n;
  }

  /** Money that was lent to an earlier run. */
  inherit(amount: Pico): void {
    this.#amount += amount;
  }

  hold(amount: Pico): void {
    this.#held += amount;
    this.#usedAtMs = this.#parts.clock.now();
    // Half of what it got the last time is gone.
    if (this.room < this.#step / 4n) this.#growAhead();
  }

  free(amount: Pico): void {
    this.#held -= amount;
    this.#usedAtMs = this.#parts.clock.now();
  }

  spend(amount: Pico): void {
    this.#unwritten += amount;
  }

  /** What was spent is in the database. */
  written(amount: Pico): void {
    this.#unwritten -= amount;
    this.#amount -= amount;
  }

  /** Asks for enough to hold `wanted`, or waits for what is being asked for. False when the balance had less. */
  async grow(wanted: Pico, least: Pico): Promise<boolean> {
    if (this.#growing) {
      await this.#growing;
      return true;
    }
    const missing = wanted - this.room;
    const generous = missing * 4n > this.#step ? missing * 4n : this.#step;
    const needed = least > this.room ? least - this.room : 1n;
    return this.#take(needed, generous);
  }

  /** Gives back what nobody has spent for so long, so that other servers can. */
  async giveBackIdle(afterMs: number): Promise<void> {
    if (this.isHeld || this.#growing || this.#parts.clock.now() - this.#usedAtMs < afterMs) return;
    const { room } = this;
    if (room <= 0n) return;
    // Out of reach before the first await, so that no request can reserve what is being given back.
    this.#amount -= room;
    try {
      await this.#parts.store.giveBack(this.#parts.owner, this.#workspaceId, room);
    } catch (error) {
      this.#amount += room;
      throw error;
    }
  }

  /** The database was asked for what is owed; what is left of it is `owed`. */
  paidUp(owed: Pico): void {
    this.owed = owed;
    this.#refused = never;
  }

  /** The database has ended the lease, because this process was cut off for too long: nothing of it may be spent any more. */
  forfeit(): void {
    if (!this.#growing && this.room > 0n) this.#amount = this.#held + this.#unwritten;
  }

  /** Nothing is being asked for any more. */
  async settled(): Promise<void> {
    await this.#growing?.catch(() => {});
  }

  /** Before the lease runs dry, so that nobody has to wait for the database. Whoever then misses something asks again. */
  #growAhead(): void {
    if (!this.#growing) this.#take(1n, this.#step).catch(() => {});
  }

  #take(needed: Pico, generous: Pico): Promise<boolean> {
    const { clock } = this.#parts;
    if (clock.now() < this.#refused.untilMs && needed >= this.#refused.amount) return Promise.resolve(false);
    this.#growing = this.#ask(needed, generous).finally(() => {
      this.#growing = undefined;
    });
    return this.#growing;
  }

  async #ask(needed: Pico, generous: Pico): Promise<boolean> {
    const { store, owner, clock } = this.#parts;
    try {
      const { taken, owed } = await store.take(owner, this.#workspaceId, needed, generous);
      this.owed = owed;
      this.#amount += taken;
      if (this.#step < largestStep) this.#step *= 2n;
      // What was asked for beyond what came is not there either.
      if (taken < generous) this.#refused = { amount: taken === 0n ? needed : 1n, untilMs: clock.now() + refusedMs };
      return taken === generous;
    } catch (error) {
      throw new Problem("service_unavailable", "The credit balance cannot be read right now. Try again.", {
        cause: error,
      });
    }
  }
}
