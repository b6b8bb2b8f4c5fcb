import { expect, it } from "vitest";
import { splitSpoken } from "./spoken-words.ts";

it.each([
  [0, "", "one two three"],
  [0.1, "one", "two three"],
  [0.24, "one", "two three"],
  [0.4, "one two", "three"],
  [0.99, "one two three", ""],
  [1.5, "one two three", ""],
])("after %f of its sound the words up to the one being spoken were heard", (part, spoken, remaining) => {
  expect(splitSpoken("one two three", part)).toEqual({ spoken, remaining });
});
