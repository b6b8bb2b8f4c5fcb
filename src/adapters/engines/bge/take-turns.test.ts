import { describe, expect, it } from "vitest";
import { TakeTurns } from "./take-turns.ts";

const never = new AbortController().signal;

describe("taking turns", () => {
  it("lets a short request overtake the rest of a long one", async () => {
    const turns = new TakeTurns(1);
    const order: string[] = [];
    const run = async (piece: string) => {
      await new Promise((resolve) => setImmediate(resolve));
      order.push(piece);
      return piece.toUpperCase();
    };
    const long = turns.runAll(["a1", "a2", "a3", "a4"], run, never);
    const short = turns.runAll(["b1"], run, never);
    expect(await short).toEqual(["B1"]);
    expect(await long).toEqual(["A1", "A2", "A3", "A4"]);
    expect(order.indexOf("b1")).toBeLessThan(3);
  });

  it("runs as many pieces at once as there are lanes, and no more", async () => {
    const turns = new TakeTurns(2);
    let running = 0;
    let most = 0;
    await turns.runAll(
      [1, 2, 3, 4, 5],
      async () => {
        running += 1;
        most = Math.max(most, running);
        await new Promise((resolve) => setImmediate(resolve));
        running -= 1;
      },
      never,
    );
    expect(most).toBe(2);
  });

  it("stops a request whose caller hung up, and fails only the request that failed", async () => {
    const turns = new TakeTurns(1);
    const abort = new AbortController();
    let begun = 0;
    const stopped = turns.runAll(
      [1, 2, 3],
      async () => {
        begun += 1;
        abort.abort(new Error("hung up"));
      },
      abort.signal,
    );
    await expect(stopped).rejects.toThrow("hung up");
    const failed = turns.runAll([1], () => Promise.reject(new Error("broken")), never);
    const fine = turns.runAll([1], async (piece) => piece, never);
    await expect(failed).rejects.toThrow("broken");
    expect(await fine).toEqual([1]);
    expect(begun).toBe(1);
  });
});
