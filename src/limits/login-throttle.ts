import { deserialize, serialize } from "node:v8";
import { networkOf } from "../platform/client-address.ts";
import type { Clock } from "../platform/clock.ts";
import { Problem } from "../platform/errors.ts";
import { hashSecret, newId } from "../platform/ids.ts";
import { makeRoom } from "../platform/make-room.ts";
import type { Bus } from "../ports/bus.ts";

/** How failures of one kind slow the next attempt down: so many are free, then the pause doubles up to a longest. */
interface Brake {
  readonly free: number;
  readonly longestMs: number;
}

/** One person at one place who has forgotten a password. */
const pairBrake: Brake = { free: 5, longestMs: 15 * 60_000 };
/** One account from everywhere: guesses from many addresses come to one a minute. Addresses from which the account has signed in
 *  before do not feel it, so that a stranger cannot keep the owner out. */
const accountBrake: Brake = { free: 10, longestMs: 60_000 };
/** One address on many accounts; an office behind one address stays below. */
const addressBrake: Brake = { free: 50, longestMs: 15 * 60_000 };

/** Failures are forgotten after this long without another. */
const memoryMs = 60 * 60_000;
const mostEntries = 20_000;

interface Entry {
  failures: number;
  lastAtMs: number;
}

interface Attempt {
  readonly from: string;
  readonly account: string;
  readonly address: string;
  readonly isRight: boolean;
}

/** Slows guessing down, by account and by address. In memory: a restart forgets, and nobody is locked out for good. */
export class LoginThrottle {
  readonly #clock: Clock;
  readonly #entries = new Map<string, Entry>();

  /** Among servers. */
  readonly #own = newId("", 12);
  #tell: (attempt: Attempt) => void = () => {};

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Counts what is tried at other servers too. Accounts and addresses go there as hashes. */
  share(bus: Bus, subject: string): void {
    bus.subscribe(subject, ({ data }) => {
      const { from, account, address, isRight } = deserialize(data) as Attempt;
      if (from === this.#own) return;
      if (isRight) this.#forget(account, address);
      else this.#fail(account, address);
    });
    this.#tell = (attempt) => bus.publish(subject, serialize(attempt));
  }

  /** Throws while a pause lasts, which that does not lengthen. Else the attempt counts as failed until it is known to be right:
   *  many at once must not all be let through because none has failed yet. */
  attempt(email: string, from: string, isKnownAddress: boolean): void {
    const [account, address] = [hashSecret(email), hashSecret(networkOf(from))];
    const waitMs = Math.max(
      this.#waitMs(`pair ${account} ${address}`, pairBrake),
      this.#waitMs(`address ${address}`, addressBrake),
      isKnownAddress ? 0 : this.#waitMs(`account ${account}`, accountBrake),
    );
    if (waitMs <= 0) {
      this.#fail(account, address);
      this.#tell({ from: this.#own, account, address, isRight: false });
      return;
    }
    const retryAfterSeconds = Math.ceil(waitMs / 1000);
    throw new Problem("rate_limited", `Too many failed attempts. Try again in ${retryAfterSeconds} s.`, {
      retryAfterSeconds,
    });
  }

  #fail(account: string, address: string): void {
    for (const key of [`pair ${account} ${address}`, `address ${address}`, `account ${account}`]) this.#count(key);
  }

  succeed(email: string, from: string): void {
    const [account, address] = [hashSecret(email), hashSecret(networkOf(from))];
    this.#forget(account, address);
    this.#tell({ from: this.#own, account, address, isRight: true });
  }

  #forget(account: string, address: string): void {
    this.#entries.delete(`pair ${account} ${address}`);
    this.#entries.delete(`account ${account}`);
    const atAddress = this.#entries.get(`address ${address}`);
    if (atAddress) atAddress.failures -= 1;
  }

  #count(key: string): void {
    const now = this.#clock.now();
    const known = this.#entries.get(key);
    const failures = known && now - known.lastAtMs < memoryMs ? known.failures + 1 : 1;
    // Put last, so that the first are those that are longest ago.
    this.#entries.delete(key);
    makeRoom(this.#entries, mostEntries);
    this.#entries.set(key, { failures, lastAtMs: now });
  }

  #waitMs(key: string, { free, longestMs }: Brake): number {
    const known = this.#entries.get(key);
    if (!known || known.failures < free) return 0;
    const pauseMs = Math.min(longestMs, 1000 * 2 ** Math.min(20, known.failures - free));
    const sinceMs = this.#clock.now() - known.lastAtMs;
    // A clock that was set back must not lengthen the pause.
    return sinceMs < 0 ? 0 : pauseMs - sinceMs;
  }
}
