import { describe, expect, it } from "vitest";
import { UploadBudget } from "./upload-budget.ts";

function budgetOf(total: number) {
  const clock = { time: 0 };
  const budget = new UploadBudget(total, () => clock.time);
  const refused: string[] = [];
  const open = (name: string, holder = name) => budget.open(holder, () => refused.push(name));
  return { clock, budget, refused, open };
}

describe("the budget of upload bytes", () => {
  it("counts what has come and nothing that was only declared", () => {
    const { budget, refused, open } = budgetOf(100);
    const idle = Array.from({ length: 280 }, (_, n) => open(`stranger ${n}`));
    for (const upload of idle.slice(0, 10)) upload.add(1);
    open("keyed").add(90);
    expect([budget.usedBytes, refused]).toEqual([100, []]);
  });

  it("refuses the slowest when it is full, so that the others finish", () => {
    const { clock, budget, refused, open } = budgetOf(100);
    const [slow, fast] = [open("slow"), open("fast")];
    slow.add(5);
    clock.time = 10_000;
    fast.add(80);
    const late = open("late");
    late.add(15);
    clock.time = 12_000;
    late.add(4);
    expect(refused).toEqual(["slow"]);
    expect([slow.isRefused, late.isRefused, budget.usedBytes]).toEqual([true, false, 99]);
    slow.add(50);
    expect(budget.usedBytes).toBe(99);
  });

  it("never gives up what has come whole, and then refuses who comes", () => {
    const { clock, refused, open } = budgetOf(100);
    const whole = open("whole");
    whole.add(90);
    whole.complete();
    clock.time = 60_000;
    const next = open("next");
    next.add(20);
    expect(refused).toEqual(["next"]);
    whole.release();
    whole.release();
    open("after").add(100);
    expect(refused).toEqual(["next"]);
  });

  it("gives one holder half of it, and the rest to others", () => {
    const { refused, open } = budgetOf(100);
    const greedy = Array.from({ length: 8 }, (_, n) => open(`greedy ${n}`, "greedy"));
    for (const upload of greedy) upload.add(10);
    expect(refused).toHaveLength(3);
    open("modest").add(50);
    expect(refused).toHaveLength(3);
  });

  it("takes a single upload of any size", () => {
    const { refused, open } = budgetOf(100);
    open("large").add(500);
    expect(refused).toEqual([]);
  });
});
