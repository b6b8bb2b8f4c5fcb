import { describe, expect, it } from "vitest";
import type { Queries } from "../ports/database.ts";
import { createKeyBudgets, daily, monthly } from "./key-budgets.ts";

/** A database that knows what one key was charged. */
function budgets(charged: bigint, period = monthly) {
  const clock = { time: Date.parse("2026-11-17T12:00:00Z"), now: () => clock.time };
  const database = { charged, reads: 0 };
  const rows = async () => {
    database.reads += 1;
    return [{ keyId: "k", charge: database.charged.toString() }];
  };
  const queries = { select: () => ({ from: () => ({ where: () => ({ groupBy: rows }) }) }) } as unknown as Queries;
  return { clock, database, budgets: createKeyBudgets(period, { queries, clock, flush: async () => {} }) };
}

const key = { id: "k", limit: 100n };

describe("a key's month", () => {
  it("bounds what is set aside, and gets back what a request does not cost", async () => {
    const { budgets: one } = budgets(40n);
    const first = await one.take(key, 50n, 1n);
    expect(first.wanted).toBe(50n);
    const second = await one.take(key, 50n, 1n);
    expect(second.wanted).toBe(10n);
    await expect(async () => one.take(key, 5n, 1n)).rejects.toThrow(
      /limit of \$0\.0000000001 a month .* still running/,
    );
    first.end(20n);
    first.end(20n);
    expect((await one.take(key, 50n, 1n)).wanted).toBe(30n);
  });

  it("is used up until the next one begins", async () => {
    const { budgets: one, clock, database } = budgets(100n);
    await expect(async () => one.take(key, 5n, 1n)).rejects.toThrow("starts over on 2026-12-01 (UTC)");
    clock.time = Date.parse("2026-12-01T00:00:00Z");
    database.charged = 0n;
    expect((await one.take(key, 5n, 1n)).wanted).toBe(5n);
  });

  it("that was looked at a moment ago costs no reading, and what others charged is seen within seconds", async () => {
    const { budgets: one, clock, database } = budgets(0n);
    (await one.take(key, 5n, 1n)).end(5n);
    expect(one.take(key, 5n, 1n)).not.toBeInstanceOf(Promise);
    expect(database.reads).toBe(1);
    database.charged = 99n;
    clock.time += 5000;
    await expect(async () => one.take(key, 5n, 5n)).rejects.toMatchObject({ kind: "insufficient_credits" });
  });

  it("and its day are two things", async () => {
    const { budgets: one, clock, database } = budgets(100n, daily);
    await expect(async () => one.take(key, 5n, 1n)).rejects.toThrow("a day is used up");
    clock.time = Date.parse("2026-11-18T00:00:00Z");
    database.charged = 0n;
    expect((await one.take(key, 5n, 1n)).wanted).toBe(5n);
  });

  it("of no dollars lets nothing through", async () => {
    const { budgets: one } = budgets(0n);
    await expect(async () => one.take({ id: "k", limit: 0n }, 1n, 1n)).rejects.toThrow("limit of $0.00");
  });
});
