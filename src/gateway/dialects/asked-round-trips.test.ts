import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { request } from "../../../tests/support/made-up-turns.ts";
import { languageDialect } from "../ai-sdk/language-dialect.ts";
import type { Json } from "../json.ts";
import { chatDialect } from "./chat/chat-dialect.ts";
import { withoutExtensions, writeChatRequest } from "./chat/write-request.ts";
import type { Dialect } from "./dialect.ts";
import { messagesDialect } from "./messages/messages-dialect.ts";
import { responsesDialect } from "./responses/responses-dialect.ts";
import type { Message, Part, TurnRequest } from "./turn.ts";

const dialects: Readonly<Record<string, Dialect>> = {
  "chat completions": chatDialect,
  messages: messagesDialect,
  responses: responsesDialect,
  "the AI SDK": languageDialect,
};
const pairs = Object.keys(dialects).flatMap((one) => Object.keys(dialects).map((other) => [one, other] as const));

/** What a dialect has no place for. */
const lost: Readonly<Record<string, readonly (keyof TurnRequest)[]>> = {
  "chat completions": [],
  messages: ["seed"],
  responses: [],
  "the AI SDK": ["reasoning", "user"],
};

function withoutLost(asked: TurnRequest, names: readonly string[]): Json {
  const { messages, tools, format, ...rest } = JSON.parse(JSON.stringify(asked)) as Record<string, Json[] & Json>;
  const merged: { role: unknown; parts: Part[] }[] = [];
  for (const { role, parts } of messages as unknown as Message[]) {
    const known = parts.map((one) => {
      if (one.type === "call") return { ...one, arguments: JSON.parse(one.arguments || "{}") };
      // The AI SDK repeats the name of the tool.
      return one.type === "result" ? { ...one, name: undefined } : one;
    });
    const last = merged.at(-1);
    if (last?.role === role && role !== "tool") last!.parts.push(...known);
    else merged.push({ role, parts: known });
  }
  const kept = Object.entries(rest).filter(([member]) => !names.includes(member));
  // Anthropic's schemas have no names.
  return { ...Object.fromEntries(kept), messages: merged, tools, format: format?.schema };
}

describe.each(pairs)("what is asked in %s", (one, other) => {
  const [from, to] = [dialects[one]!, dialects[other]!];

  it(`is the same after it went through ${other} and back, but for what one of them has no place for`, () => {
    fc.assert(
      fc.property(request, (asked) => {
        const there = to.writeRequest(from.readRequest(from.writeRequest(asked)));
        const back = from.readRequest(from.writeRequest(to.readRequest(there)));
        const names = [...lost[one]!, ...lost[other]!];
        expect(withoutLost(back, names)).toEqual(withoutLost(asked, names));
      }),
      { numRuns: 20 },
    );
  });
});

it("OpenAI itself is sent nothing that others have added to its dialect", () => {
  fc.assert(
    fc.property(request, (asked) => {
      const sent = withoutExtensions(writeChatRequest(asked));
      const added = /"(cache_control|reasoning|reasoning_details|providerOptions|extra_content|top_k)":/;
      expect(JSON.stringify(sent)).not.toMatch(added);
      expect(sent.messages).toHaveLength((writeChatRequest(asked).messages as Json[]).length);
    }),
  );
});
