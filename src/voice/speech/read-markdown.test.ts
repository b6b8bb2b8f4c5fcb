import { describe, expect, it } from "vitest";
import { readMarkdown } from "./read-markdown.ts";

describe("Markdown", () => {
  it.each([
    ["# Title", "Title.\n"],
    ["## What now?", "What now?\n"],
    ["This is **very** important.", "This is very important."],
    ["*Really* and _truly_ and ***both***", "Really and truly and both"],
    ["See [the guide](https://example.com/a_b).", "See the guide."],
    ["![A cat](cat.png)", "A cat"],
    ["Run `npm install` now", "Run npm install now"],
    ["- one\n- two\n* three", "one.\ntwo.\nthree."],
    ["- [x] done", "done."],
    ["> quoted", "quoted"],
    ["| a | b |\n|---|---|\n| 1 | 2 |", "a, b.\n\n1, 2."],
    ["~~old~~ new", "old new"],
    ["```js\nlet x\n```", "\nlet x\n"],
    ["above\n\n---\n\nbelow", "above\n\n\n\nbelow"],
    ["<https://example.com>", "https://example.com"],
  ])("%j is read as %j", (written, read) => {
    expect(readMarkdown(written)).toBe(read);
  });

  it.each([
    "The [Nguyen](/ŋwiən/) family",
    "3 * 4 * 5",
    "snake_case_name",
    "#love",
    "-5 degrees",
    "1-2 people",
    "a > b",
    "x | y",
    "it's 5*3",
  ])("%j stays as it is", (written) => {
    expect(readMarkdown(written)).toBe(written);
  });

  it("takes linear time on what only looks like it", () => {
    for (const nonsense of ["*", "_", "[", "`", "> ", "|", "#", "[a](", "~~", "- "]) {
      const text = nonsense.repeat(3000);
      expect(readMarkdown(text).length).toBeLessThanOrEqual(text.length + 10);
    }
  });
});
