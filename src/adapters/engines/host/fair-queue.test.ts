import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { FairQueue } from "./fair-queue.ts";

function drain(queue: FairQueue<string>): string[] {
  const order: string[] = [];
  for (let next = queue.shift(); next; next = queue.shift()) order.push(next.item);
  return order;
}

describe("a fair queue", () => {
  it("gives two keys turns, however many jobs one of them brought", () => {
    const queue = new FairQueue<string>(100);
    for (let n = 1; n <= 4; n++) queue.push(`a${n}`, "a", "flow", 1);
    queue.push("b1", "b", "flow", 1);
    expect(drain(queue).indexOf("b1")).toBeLessThanOrEqual(1);
  });

  it("gives two requests of one key turns", () => {
    const queue = new FairQueue<string>(100);
    for (let n = 1; n <= 5; n++) queue.push(`long${n}`, "a", "long", 1);
    queue.push("short", "a", "short", 1);
    expect(drain(queue).indexOf("short")).toBeLessThanOrEqual(1);
  });

  it("takes the smallest first among equals", () => {
    const queue = new FairQueue<string>(100);
    queue.push("big", "a", "1", 100);
    queue.push("small", "b", "1", 1);
    expect(drain(queue)).toEqual(["small", "big"]);
  });

  it("lets a newcomer wait for at most one job of each of the others", () => {
    const queue = new FairQueue<string>(1000);
    for (let n = 0; n < 50; n++) queue.push("old", "old", "f", 1);
    for (let n = 0; n < 40; n++) queue.shift();
    queue.push("new", "new", "f", 1);
    expect([queue.shift()?.item, queue.shift()?.item]).toContain("new");
  });

  it("has room for others when one key, or one workspace, has taken its half", () => {
    const queue = new FairQueue<string>(8);
    for (let n = 0; n < 4; n++) queue.push("greedy", n % 2 === 0 ? "ws_1/key_1" : "ws_1/key_2", `f${n}`, 1);
    expect(queue.hasRoom("ws_1/key_1")).toBe(false);
    expect(queue.hasRoom("ws_1/key_3")).toBe(false);
    expect(queue.hasRoom("ws_2/key_4")).toBe(true);
    queue.shift();
    expect(queue.hasRoom("ws_1/key_3")).toBe(true);
  });

  it("passes over a key that has all the places it may have", () => {
    const queue = new FairQueue<string>(8);
    queue.push("busy", "ws_1/key_1", "f", 1);
    queue.push("idle", "ws_2/key_2", "f", 5);
    expect(queue.shift((key) => key !== "ws_1/key_1")?.item).toBe("idle");
    expect(queue.shift((key) => key !== "ws_1/key_1")).toBeUndefined();
    expect(queue.length).toBe(1);
  });

  it("gives out a small job where only a small one fits, past those that were before it", () => {
    const queue = new FairQueue<string>(8);
    queue.push("big", "a", "1", 100);
    queue.push("bigger", "b", "1", 200);
    queue.push("small", "b", "2", 5);
    const isSmall = ({ size }: { size: number }) => size <= 10;
    expect(queue.shift(undefined, isSmall)?.item).toBe("small");
    expect(queue.shift(undefined, isSmall)).toBeUndefined();
    expect(drain(queue)).toEqual(["big", "bigger"]);
  });

  it("forgets a job that was taken out", () => {
    const queue = new FairQueue<string>(10);
    const ticket = queue.push("gone", "a", "1", 1);
    queue.push("stays", "a", "1", 1);
    expect(queue.remove(ticket)).toBe(true);
    expect(queue.remove(ticket)).toBe(false);
    expect(drain(queue)).toEqual(["stays"]);
  });

  it("loses nothing and keeps each flow in order", () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(3), fc.nat(2), fc.integer({ min: 1, max: 9 }))), (jobs) => {
        const queue = new FairQueue<string>(1000);
        const pushed = jobs.map(([key, flow, size], index) => {
          const name = `${key}/${flow}/${index}`;
          queue.push(name, String(key), String(flow), size);
          return name;
        });
        const order = drain(queue);
        expect([...order].sort()).toEqual([...pushed].sort());
        for (const lane of new Set(pushed.map((name) => name.slice(0, 3)))) {
          expect(order.filter((name) => name.startsWith(lane))).toEqual(pushed.filter((name) => name.startsWith(lane)));
        }
      }),
    );
  });
});
