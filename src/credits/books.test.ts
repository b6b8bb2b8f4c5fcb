import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createHealth } from "../platform/health.ts";
import { silentLog } from "../platform/log.ts";
import { type Books, type Hold, openBooks } from "./books.ts";
import type { Charge, LeaseStore } from "./lease-store.ts";
import { picosPerDollar } from "./money.ts";

/** A balance with the promises of the real store, and a pause in every call so that requests overlap. */
function pretendStore(balance: bigint) {
  const state = {
    balance,
    leases: new Map<string, bigint>(),
    charges: new Map<string, Charge>(),
    debt: 0n,
    isDown: false,
    version: 0n,
  };
  const leased = () => [...state.leases.values()].reduce((sum, amount) => sum + amount, 0n);
  const change = (owner: string, by: bigint) => {
    state.leases.set(owner, (state.leases.get(owner) ?? 0n) + by);
    expect(state.leases.get(owner)).toBeGreaterThanOrEqual(0n);
    expect(state.balance).toBeGreaterThanOrEqual(leased());
  };
  const stateOf = (owner: string) => ({ amount: state.leases.get(owner) ?? 0n, version: ++state.version });
  const payUp = () => {
    const free = state.balance - leased();
    const paid = state.debt < free ? state.debt : free;
    state.balance -= paid;
    state.debt -= paid;
    return state.debt;
  };
  const pause = () => new Promise((resolve) => setImmediate(resolve));
  const store: LeaseStore = {
    async take(owner, _workspace, least, portion) {
      await pause();
      if (state.isDown) throw new Error("down");
      const owed = payUp();
      const free = state.balance - leased();
      if (owed > 0n || free < least || free === 0n) return { taken: 0n, owed, isDry: true, lease: undefined };
      const taken = portion(free);
      change(owner, taken);
      return { taken, owed, isDry: taken === free, lease: stateOf(owner) };
    },
    async look() {
      return { balance: state.balance, free: state.balance - leased(), owners: [] };
    },
    async pay() {
      await pause();
      return payUp();
    },
    async rehearse() {},
    async renew(owner) {
      return new Map(state.leases.has(owner) ? [["w", stateOf(owner)]] : []);
    },
    async reclaim() {
      return 0;
    },
    async spend(owner, charges) {
      await pause();
      if (state.isDown) throw new Error("down");
      for (const charge of charges) {
        if (state.charges.has(charge.id)) continue;
        state.charges.set(charge.id, charge);
        state.balance -= charge.amount;
        state.debt += charge.owed;
        change(owner, -charge.amount);
      }
      return new Map([["w", stateOf(owner)]]);
    },
    async giveBack(owner, _workspace, amount) {
      await pause();
      change(owner, -amount);
      return stateOf(owner);
    },
    async inherit(owner, successor, kept) {
      state.leases.delete(owner);
      for (const amount of kept.values()) change(successor, amount);
      return new Map([["w", stateOf(successor)]]);
    },
    async forget() {},
    async park() {
      throw new Error("not here");
    },
    async keep() {},
    within: () => store,
  };
  return { store, state, leased };
}

let dataDir: string;
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), "parlance-books-"));
});
afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

let now = 0;
const clock = { now: () => now };
const open = (store: LeaseStore) =>
  openBooks({ store, dataDir, clock, log: silentLog, health: createHealth(silentLog) });
let count = 0;
function reserve(books: Books, wanted: bigint, least = wanted) {
  count += 1;
  return Promise.resolve(books.reserve({ id: `r${count}`, workspaceId: "w", wanted, least }));
}

describe("the books", () => {
  it("never spend more than there is, and lose nothing, whatever runs at once", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.bigInt({ min: 0n, max: 3_000n }),
        fc.array(
          fc.record({
            hold: fc.bigInt({ min: 1n, max: 200n }),
            cost: fc.bigInt({ min: -5n, max: 300n }),
            ends: fc.constantFrom("settle", "release", "both"),
          }),
          { maxLength: 80 },
        ),
        async (balance, requests) => {
          const { store, state, leased } = pretendStore(balance);
          const books = await open(store);
          let spent = 0n;
          await Promise.all(
            requests.map(async ({ hold: wanted, cost, ends }) => {
              let hold: Hold;
              try {
                hold = await reserve(books, wanted);
              } catch {
                return;
              }
              await new Promise((resolve) => setImmediate(resolve));
              if (ends !== "release") spent += books.settle(hold, cost, null);
              if (ends !== "settle") books.release(hold);
            }),
          );
          await books.close();
          expect(state.balance).toBe(balance - spent);
          expect(state.balance).toBeGreaterThanOrEqual(0n);
          expect(leased()).toBe(0n);
          expect(books.openHolds).toBe(0);
        },
      ),
      { numRuns: 60 },
    );
  });

  it("let exactly as many requests start as the balance covers", async () => {
    const { store } = pretendStore(50n * 7n);
    const books = await open(store);
    const started = await Promise.allSettled(Array.from({ length: 1000 }, () => reserve(books, 7n)));
    expect(started.filter(({ status }) => status === "fulfilled")).toHaveLength(50);
    const refused = started.find((one) => one.status === "rejected");
    expect(refused?.reason).toMatchObject({ kind: "insufficient_credits" });
  });

  it("lend what is left when it is enough to be of use", async () => {
    const { store } = pretendStore(30n);
    const books = await open(store);
    expect((await reserve(books, 100n, 20n)).amount).toBe(30n);
  });

  it("charge what a request cost beyond its hold too, and at least nothing", async () => {
    const { store, state } = pretendStore(10n ** 13n);
    const books = await open(store);
    expect(books.settle(await reserve(books, 10n), 25n, null)).toBe(25n);
    expect(books.settle(await reserve(books, 10n), -3n, null)).toBe(0n);
    await books.flush();
    expect(state).toMatchObject({ balance: 10n ** 13n - 25n, debt: 0n });
  });

  it("keep what the balance did not have as a debt that blocks the next request until it is paid", async () => {
    const { store, state } = pretendStore(100n);
    const books = await open(store);
    expect(books.settle(await reserve(books, 10n), 250n, null)).toBe(10n);
    await expect(reserve(books, 1n)).rejects.toThrow("cost $0.00000000015 more");
    expect(state).toMatchObject({ balance: 0n, debt: 150n });
    state.balance = 200n;
    expect((await reserve(books, 50n)).amount).toBe(50n);
    expect(state).toMatchObject({ balance: 50n, debt: 0n });
  });

  it("let nobody else in while something is owed, in this process or another", async () => {
    const { store, state } = pretendStore(100n);
    state.debt = 150n;
    const books = await open(store);
    await expect(reserve(books, 10n)).rejects.toMatchObject({ kind: "insufficient_credits" });
    expect(state).toMatchObject({ balance: 0n, debt: 50n });
  });

  it("end a hold once, however often they are told", async () => {
    const { store, state } = pretendStore(1000n);
    const books = await open(store);
    const hold = await reserve(books, 10n);
    books.settle(hold, 4n, null);
    books.settle(hold, 4n, null);
    books.release(hold);
    await books.flush();
    expect(state.balance).toBe(996n);
  });

  it("say that the balance is zero when it is", async () => {
    const books = await open(pretendStore(0n).store);
    await expect(reserve(books, 1n)).rejects.toThrow(/balance is zero/);
  });

  it("keep charges while the database is away and bring them in when it is back", async () => {
    const { store, state } = pretendStore(10n ** 13n);
    const books = await open(store);
    const hold = await reserve(books, 10n);
    state.isDown = true;
    books.settle(hold, 10n, null);
    await expect(books.flush()).rejects.toThrow("down");
    await expect(reserve(books, 10n ** 12n)).rejects.toMatchObject({ kind: "service_unavailable" });
    state.isDown = false;
    await books.flush();
    expect(state.charges.size).toBe(1);
  });

  it("of a process that died are closed by the next: charges once, open holds by their reference or not at all", async () => {
    const { store, state, leased } = pretendStore(1000n);
    const dying = await open(store);
    const charged = await reserve(dying, 100n);
    const referred = await reserve(dying, 50n);
    await reserve(dying, 30n);
    dying.settle(charged, 60n, { about: { model: "m" }, figures: [1, 2n ** 60n] });
    await dying.flush();
    dying.settle(await reserve(dying, 9n), 9n, { about: { model: "n" }, figures: [] });
    dying.remark(referred, "gen_1", { model: "o" });
    // Nothing was closed: its journal stays behind, as after a kill.
    const next = await open(store);
    expect([...state.charges.values()].map(({ amount, about, figures }) => [amount, about, figures])).toEqual([
      [60n, { model: "m" }, [1, 2n ** 60n]],
      [9n, { model: "n" }, []],
    ]);
    expect(leased()).toBe(50n);
    const [left] = next.inherited;
    expect(left).toMatchObject({ amount: 50n, reference: "gen_1", about: { model: "o" } });
    next.settle(left!, 20n, null);
    await next.close();
    expect([state.balance, leased()]).toEqual([1000n - 60n - 9n - 20n, 0n]);
  });

  it("put a journal whose first line cannot be read into quarantine, and throw none of it away", async () => {
    const folder = join(dataDir, "credits");
    mkdirSync(folder);
    const damaged = '\u0000\u0000\u0000\n{"t":"charge","position":1,"id":"c1"}\n';
    writeFileSync(join(folder, "999999999.1-1-1-run_old.ndjson"), damaged);
    writeFileSync(join(folder, "999999999.1-2-1-run_empty.ndjson"), "");
    const books = await open(pretendStore(0n).store);
    await books.close();
    expect(readdirSync(folder)).toEqual(["quarantine-999999999.1-1-1-run_old.ndjson"]);
    expect(readFileSync(join(folder, readdirSync(folder)[0]!), "utf8")).toBe(damaged);
  });

  it("ask for more before a lease runs dry, so that only the first request waits", async () => {
    const { store } = pretendStore(picosPerDollar * 10n);
    const books = await open(store);
    const cent = picosPerDollar / 100n;
    let waited = 0;
    for (let n = 0; n < 300; n++) {
      const reserved = books.reserve({ id: `ahead${n}`, workspaceId: "w", wanted: cent, least: cent });
      if (reserved instanceof Promise) waited += 1;
      books.settle(await reserved, cent, null);
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(waited).toBe(1);
    await books.close();
  });

  it("give a lease back that nobody spends", async () => {
    const { store, leased } = pretendStore(10n ** 13n);
    const books = await open(store);
    books.release(await reserve(books, 10n));
    expect(leased()).toBeGreaterThan(0n);
    now += 10_000;
    await books.flush();
    expect(leased()).toBe(0n);
  });
});
