import { describe, expect, it } from "vitest";
import { BufferBudget } from "./buffer-budget.ts";

/** Asks without waiting: whether it was admitted is known a turn of the event loop later. */
function ask(budget: BufferBudget, bytes: number, holder: string) {
  const state = { isIn: false, release: () => {} };
  budget.acquire(bytes, holder).then(
    (release) => Object.assign(state, { isIn: true, release }),
    () => {},
  );
  return state;
}
const turn = () => new Promise((resolve) => setImmediate(resolve));

describe("the budget of upload bytes", () => {
  it("gives one holder half of it, and the rest to others", async () => {
    const budget = new BufferBudget(100);
    const greedy = Array.from({ length: 10 }, () => ask(budget, 10, "greedy"));
    const modest = ask(budget, 50, "modest");
    await turn();
    expect(greedy.filter(({ isIn }) => isIn)).toHaveLength(5);
    expect(modest.isIn).toBe(true);
    expect(budget.usedBytes).toBe(100);
  });

  it("takes a single upload of any size, and lets nobody slip past one that waits for room", async () => {
    const budget = new BufferBudget(100);
    const whole = ask(budget, 500, "large");
    const next = ask(budget, 90, "next");
    const small = ask(budget, 5, "small");
    await turn();
    expect([whole.isIn, next.isIn, small.isIn]).toEqual([true, false, false]);
    whole.release();
    whole.release();
    await turn();
    expect([next.isIn, small.isIn]).toEqual([true, true]);
    expect(budget.usedBytes).toBe(95);
  });
});
