import { expect, it } from "vitest";
import { wordErrors } from "./word-errors.ts";

it.each([
  ["He could wait no longer.", "he could wait no longer", 0],
  ["one two three four", "one three four five", 0.5],
  ["Grüße", "", 1],
  ["", "", 0],
])("%j heard as %j", (said, heard, share) => expect(wordErrors(said, heard)).toBe(share));
