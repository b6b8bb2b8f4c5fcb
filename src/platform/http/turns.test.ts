import { expect, it } from "vitest";
import { type Steps, Turns } from "./turns.ts";

function* count(name: string, steps: number, seen: string[]): Steps<string> {
  for (let step = 1; step <= steps; step++) {
    seen.push(`${name}${step}`);
    yield;
  }
  return name;
}

it("holders take turns, and one holder's work is done one after the other", async () => {
  const turns = new Turns();
  const seen: string[] = [];
  const greedy = [turns.run("a", count("a", 2, seen)), turns.run("a", count("b", 1, seen))];
  const modest = turns.run("c", count("c", 1, seen));
  expect(await Promise.all([...greedy, modest])).toEqual(["a", "b", "c"]);
  expect(seen).toEqual(["a1", "c1", "a2", "b1"]);
});

it("lets what arrives meanwhile pass between two steps", async () => {
  const seen: string[] = [];
  const work = new Turns().run("a", count("a", 2, seen));
  setImmediate(() => seen.push("other"));
  await work;
  expect(seen).toEqual(["a1", "other", "a2"]);
});

it("a step that fails ends its own work only", async () => {
  const turns = new Turns();
  const broken = turns.run(
    "a",
    (function* (): Steps<void> {
      yield;
      throw new Error("no");
    })(),
  );
  const whole = turns.run("a", count("b", 1, []));
  await expect(broken).rejects.toThrow("no");
  expect(await whole).toBe("b");
});
