import { describe, expect, it } from "vitest";
import { ClauseCutter } from "./clause-cutter.ts";

/** The clauses of a text that arrives letter by letter. */
function cut(text: string): string[] {
  const cutter = new ClauseCutter();
  return [...Array.from(text).flatMap((letter) => cutter.push(letter)), ...cutter.end()];
}

describe("a reply that is still being written", () => {
  it("is spoken from its first clause on, and then sentence by sentence", () => {
    expect(
      cut(
        "Yes, of course I can help, just tell me more. What is it that you would like to know about trains, for example?",
      ),
    ).toEqual([
      "Yes, of course I can help,",
      "just tell me more. What is it that you would like to know about trains, for example?",
    ]);
  });

  it("is not cut inside abbreviations and numbers", () => {
    expect(cut("That was written by Dr. J. Smith in 3.5 hours. Good.")).toEqual([
      "That was written by Dr. J. Smith in 3.5 hours.",
      "Good.",
    ]);
  });

  it("keeps a short beginning together with what follows", () => {
    expect(cut("Yes. No. I do not know that at all. Ask me again.")).toEqual([
      "Yes. No. I do not know that at all.",
      "Ask me again.",
    ]);
  });

  it("is cut at line breaks", () => {
    expect(cut("First line\nSecond line")).toEqual(["First line", "Second line"]);
  });

  it("of nothing but blanks has nothing to speak", () => {
    expect(cut(" \n ")).toEqual([]);
  });
});
