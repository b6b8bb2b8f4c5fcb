import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isPlainChat } from "./is-plain-chat.ts";
import { chatRequest } from "./schema.ts";

const plain = { model: "a/b", messages: [{ role: "user", content: "hi" }] };

describe("the plain check of a chat request", () => {
  it.each([
    {},
    { stream: true, max_tokens: 5 },
    { temperature: 0.5, top_p: 1, tools: [], seed: 3, anything: { else: 1 } },
  ])("takes the usual: %j", (extra) => {
    expect(isPlainChat({ ...plain, ...extra })).toBe(true);
  });

  it("takes nothing that the schema would refuse or change", () => {
    const odd = fc.oneof(
      fc.constantFrom(
        undefined,
        null,
        true,
        "",
        "1",
        0,
        -1,
        1.5,
        1e300,
        Number.NaN,
        [],
        {},
        [[]],
        [null],
        [{ role: 1 }],
      ),
      fc.constantFrom([{ role: "user" }], [{ role: "user" }, []], 128, 129, "a/b", "m".repeat(501), "a\0b"),
    );
    const names = Object.keys(chatRequest.shape);
    const bodies = fc.oneof(odd, fc.dictionary(fc.constantFrom(...names, "other"), odd));
    fc.assert(
      fc.property(bodies, fc.boolean(), (body, isNearlyRight) => {
        const data = isNearlyRight ? { ...plain, ...(body as object) } : body;
        if (!isPlainChat(data)) return;
        expect(chatRequest.parse(data)).toEqual(data);
      }),
      { numRuns: 2000 },
    );
  });
});
