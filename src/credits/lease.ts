import type { Clock } from "../platform/clock.ts";
import { Problem } from "../platform/errors.ts";
import type { LeaseState, LeaseStore } from "./lease-store.ts";
import { type Pico, picosPerDollar } from "./money.ts";

const smallestStep: Pico = picosPerDollar / 10n;
const largestStep: Pico = picosPerDollar * 5n;
/** Below this a lease is not worth growing before a request needs it. A guess: a tenth of what a short chat costs. */
const smallestAhead: Pico = picosPerDollar / 1000n;
const refusedMs = 100;
const notAheadMs = 1000;
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
  /** As the database had it when this was last heard of. What is held may be more, after the lease was lost: then nothing else is
   *  spent until the missing part is there again. */
  #state: LeaseState = { amount: 0n, version: 0n };
  /** By running requests. */
  #held: Pico = 0n;
  /** Spent, but not yet in the database. */
  #unwritten: Pico = 0n;
  #growing: Promise<boolean> | undefined;
  #giving: Promise<void> | undefined;
  /** What to ask for next. Who spends fast asks for more each time, until the lease has gone back. */
  #step = smallestStep;
  #usedAtMs: number;
  /** What the workspace owes, as far as this process knows: nothing more is spent until it is paid. */
  owed: Pico = 0n;
  /** The database has just refused this much; asking again at once would only make everybody wait. */
  #refused = never;
  /** There was little: until then only requests that miss something ask. */
  #aheadFromMs = 0;

  constructor(parts: LeaseParts, workspaceId: string) {
    this.#parts = parts;
    this.#workspaceId = workspaceId;
    this.#usedAtMs = parts.clock.now();
  }

  get room(): Pico {
    return this.#state.amount - this.#held - this.#unwritten;
  }

  get held(): Pico {
    return this.#held;
  }

  get unwritten(): Pico {
    return this.#unwritten;
  }

  get isEmpty(): boolean {
    return this.#state.amount === 0n && !this.#isUsed && this.owed === 0n;
  }

  get #isUsed(): boolean {
    return this.#held > 0n || this.#unwritten > 0n || this.#growing !== undefined;
  }

  /** What the database says; answers may overtake each other. Undefined when it knows of no lease: another server has ended it,
   *  because this one was cut off for too long. */
  seen(state: LeaseState | undefined): void {
    if (!state) this.#state = { ...this.#state, amount: 0n };
    else if (state.version > this.#state.version) this.#state = state;
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
  written(amount: Pico, state: LeaseState | undefined): void {
    this.#unwritten -= amount;
    this.seen(state);
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
    return this.#take(needed, missing, generous);
  }

  /** Gives back what nobody has spent for so long, so that other servers can. */
  async giveBackIdle(afterMs: number): Promise<void> {
    if (this.#held > 0n || this.#parts.clock.now() - this.#usedAtMs < afterMs) return;
    if (this.room > 0n) await this.giveBack();
  }

  /** Leaves in the lease what running requests hold and what is not written yet. */
  async giveBack(): Promise<void> {
    await this.settled();
    if (this.room <= 0n || this.#growing || this.#giving) return;
    this.#giving = this.#give(this.room).finally(() => {
      this.#giving = undefined;
    });
    return this.#giving;
  }

  /** The database was asked for what is owed; what is left of it is `owed`. */
  paidUp(owed: Pico): void {
    this.owed = owed;
    this.#refused = never;
  }

  /** Others have given something back. */
  askAgain(): void {
    this.#refused = never;
  }

  /** Nothing is on its way to the lease or from it any more. */
  async settled(): Promise<void> {
    await this.#growing?.catch(() => {});
    await this.#giving?.catch(() => {});
  }

  async #give(room: Pico): Promise<void> {
    const { store, owner } = this.#parts;
    // Out of reach before the first await, so that no request can reserve what is being given back. A failure may have come after
    // the deed: then too this much is not spent until the database says what the lease has.
    this.#state = { ...this.#state, amount: this.#state.amount - room };
    this.#step = smallestStep;
    this.seen(await store.giveBack(owner, this.#workspaceId, room));
  }

  /** Before the lease runs dry, so that nobody has to wait for the database. Whoever then misses something asks again. */
  #growAhead(): void {
    if (!this.#growing && this.#parts.clock.now() >= this.#aheadFromMs) this.#take(1n, 0n, this.#step).catch(() => {});
  }

  #take(needed: Pico, missing: Pico, generous: Pico): Promise<boolean> {
    const { clock } = this.#parts;
    if (clock.now() < this.#refused.untilMs && needed >= this.#refused.amount) return Promise.resolve(false);
    this.#growing = this.#ask(needed, missing, generous).finally(() => {
      this.#growing = undefined;
    });
    return this.#growing;
  }

  async #ask(needed: Pico, missing: Pico, generous: Pico): Promise<boolean> {
    const { store, owner, clock } = this.#parts;
    try {
      const { taken, owed, isDry, lease } = await store.take(owner, this.#workspaceId, needed, (free) =>
        portion(free, missing, generous),
      );
      this.owed = owed;
      if (lease) this.seen(lease);
      if (taken === generous && this.#step < largestStep) this.#step *= 2n;
      if (taken < this.#step / 4n) this.#aheadFromMs = clock.now() + notAheadMs;
      if (isDry) this.#refused = { amount: taken === 0n ? needed : 1n, untilMs: clock.now() + refusedMs };
      return !isDry;
    } catch (error) {
      throw new Problem("service_unavailable", "The credit balance cannot be read right now. Try again.", {
        cause: error,
      });
    }
  }
}

/** How much of what is free a lease grows by: generously while there is plenty, so that few requests wait for the database; when
 *  there is little, by what is missing, so that other servers find something too. */
function portion(free: Pico, missing: Pico, generous: Pico): Pico {
  const spare = free / 4n;
  const ahead = spare < generous ? spare : generous;
  if (ahead >= missing && ahead >= smallestAhead) return ahead;
  return missing < free ? missing : free;
}
