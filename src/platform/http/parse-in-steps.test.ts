import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseInSteps } from "./parse-in-steps.ts";

function parse(text: string, stepBytes: number): unknown {
  const steps = parseInSteps(Buffer.from(text), JSON.parse, stepBytes);
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

/** What is made of it, or that it is refused. */
function outcome(read: () => unknown): unknown {
  try {
    return JSON.stringify(read());
  } catch (error) {
    return (error as Error).name;
  }
}

const value = fc
  .jsonValue({ maxDepth: 5, depthSize: "max" })
  .filter((one) => !JSON.stringify(one).includes("__proto__"));

describe("a JSON body that is parsed in steps", () => {
  it("is what it is when it is parsed at once, however small the steps are", () => {
    fc.assert(
      fc.property(
        value,
        fc.constantFrom(undefined, 1, "\n\t "),
        fc.integer({ min: 1, max: 60 }),
        (one, blanks, step) => {
          const text = JSON.stringify(one, undefined, blanks);
          expect(JSON.stringify(parse(` ${text}\r\n`, step))).toBe(JSON.stringify(one));
        },
      ),
      { numRuns: 2000 },
    );
  });

  it("is refused when it would be refused at once, wherever it was spoilt", () => {
    const spoiler = fc.constantFrom("", ",", "[", "]", "{", "}", '"', ":", "\\", "1", "null", "x", " ", "é", '"a":');
    const spoilt = fc.record({
      one: value,
      at: fc.nat(),
      cut: fc.integer({ min: 0, max: 3 }),
      spoiler,
      step: fc.integer({ min: 1, max: 40 }),
    });
    fc.assert(
      fc.property(spoilt, ({ one, at, cut, spoiler: put, step }) => {
        const text = JSON.stringify(one);
        const place = at % (text.length + 1);
        const wrong = text.slice(0, place) + put + text.slice(place + cut);
        expect(outcome(() => parse(wrong, step))).toBe(outcome(() => JSON.parse(wrong)));
      }),
      { numRuns: 5000 },
    );
  });

  it.each([
    "[1,2,]",
    "[,1,2]",
    "[1,,2]",
    "[[1,2],]",
    "[[1,2]3]",
    "[1[2,3]]",
    '{"a":[1,2]"b":1}',
    "{[1,2]:1}",
    "[[1,2}]",
    "[1,2]]",
    "[[1,2]",
    "[]1",
    '{"a":1,}',
  ])("is refused: %s", (text) => {
    expect(() => parse(text, 1)).toThrow(SyntaxError);
  });

  it("keeps the last of two members with one name, in the place of the first", () => {
    const text = '{"a":[1,2,3],"b":2,"a":{"c":[4,5,6]}}';
    for (const step of [1, 5, 12]) expect(JSON.stringify(parse(text, step))).toBe('{"a":{"c":[4,5,6]},"b":2}');
  });

  it("never gets a prototype from a member", () => {
    expect(() => parse('{"a":1,"__proto__":{"b":[1,2,3]}}', 4)).toThrow(SyntaxError);
  });

  it("finds the same letters in a long string, whatever they are and however they are written", () => {
    const text = fc.string({
      unit: fc.constantFrom("a", "é", "語", "😀", "\n", '"', "\\", "u", "\ud83d", "0"),
      maxLength: 80,
    });
    fc.assert(
      fc.property(
        text,
        fc.boolean(),
        fc.constantFrom(
          (one: string): unknown => [one],
          (one: string) => ({ [one]: one }),
        ),
        (one, isEscaped, put) => {
          const plain = JSON.stringify(put(one));
          const toEscape = (letter: string) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`;
          const json = isEscaped ? plain.replace(/[^\x00-\x7f]/g, toEscape) : plain;
          expect(parse(json, 1)).toEqual(JSON.parse(json));
        },
      ),
      { numRuns: 3000 },
    );
  });

  it("parses a little at each step", () => {
    let longest = 0;
    const note = (text: string) => {
      longest = Math.max(longest, text.length);
      return JSON.parse(text);
    };
    const text = JSON.stringify({
      messages: Array.from({ length: 10_000 }, (_, at) => ({ role: "user", content: at })),
    });
    for (const _ of parseInSteps(Buffer.from(text), note, 1000)) {
      // A step.
    }
    expect(longest).toBeLessThan(1100);
  });
});
