import { describe, expect, it } from "vitest";
import { readAhead } from "../../../platform/read-ahead.ts";
import { Rounds } from "./rounds.ts";

const settle = () => new Promise((resolve) => setImmediate(resolve));

describe("conversations in step", () => {
  it("begin a step together and in their order, when the last of them is ready", async () => {
    const rounds = new Rounds();
    const steps: string[] = [];
    rounds.join();
    rounds.join();
    void rounds.ready(1).then(() => steps.push("second"));
    await settle();
    expect(steps).toEqual([]);
    void rounds.ready(0).then(() => steps.push("first"));
    await settle();
    await settle();
    expect(steps).toEqual(["first", "second"]);
  });

  it("do not wait for one that has ended, nor for one alone", async () => {
    const rounds = new Rounds();
    const leave = rounds.join();
    rounds.join();
    const step = rounds.ready(0);
    leave();
    leave();
    await step;
    await rounds.ready(0);
  });
});

describe("reading ahead", () => {
  it("lets the writer run on while the reader pauses, and hands everything over in order", async () => {
    let written = 0;
    async function* write() {
      for (; written < 5; written++) yield written;
    }
    const read: number[] = [];
    for await (const value of readAhead(write())) {
      await settle();
      if (value === 0) expect(written).toBe(5);
      read.push(value);
    }
    expect(read).toEqual([0, 1, 2, 3, 4]);
  });

  it("ends the writer when the reader leaves, and passes on what fails", async () => {
    let hasEnded = false;
    async function* write() {
      try {
        for (;;) {
          yield 1;
          await settle();
        }
      } finally {
        hasEnded = true;
      }
    }
    for await (const _ of readAhead(write())) break;
    expect(hasEnded).toBe(true);
    async function* fail() {
      yield 1;
      throw new Error("broken");
    }
    const read = async () => {
      for await (const _ of readAhead(fail()));
    };
    await expect(read()).rejects.toThrow("broken");
  });
});
