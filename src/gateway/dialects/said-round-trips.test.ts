import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { eventsOf, reply } from "../../../tests/support/made-up-turns.ts";
import { languageDialect } from "../ai-sdk/language-dialect.ts";
import { ReplyBuilder } from "./build-reply.ts";
import { chatDialect } from "./chat/chat-dialect.ts";
import type { Dialect } from "./dialect.ts";
import { messagesDialect } from "./messages/messages-dialect.ts";
import { responsesDialect } from "./responses/responses-dialect.ts";
import { EventTranslator } from "./translate.ts";
import type { Reply, TurnEvent } from "./turn.ts";

const dialects: Readonly<Record<string, Dialect>> = {
  "chat completions": chatDialect,
  messages: messagesDialect,
  responses: responsesDialect,
  "the AI SDK": languageDialect,
};
const pairs = Object.keys(dialects).flatMap((one) => Object.keys(dialects).map((other) => [one, other] as const));

/** Chats name no order between text, pictures and calls, and Anthropic's replies have no date. */
const order = ["reasoning", "text", "image", "audio", "call"];
function comparable({ head, parts, end }: Reply) {
  const ranked = parts.map((one) =>
    one.type === "call" ? { ...one, arguments: JSON.parse(one.arguments || "{}") } : one,
  );
  return {
    head: { ...head, created: 0 },
    parts: ranked.toSorted((one, other) => order.indexOf(one.type) - order.indexOf(other.type)),
    end: { ...end, cost: end.cost === undefined ? undefined : Number(end.cost) },
  };
}

function write(dialect: Dialect, events: readonly TurnEvent[]): string {
  const writer = dialect.writeStream(true);
  return events.map((event) => writer(event)).join("");
}

function read(dialect: Dialect, stream: string): Reply {
  const builder = new ReplyBuilder();
  const reader = new EventTranslator(dialect.readStream(), (event) => {
    builder.add(event);
    return "";
  });
  reader.push(stream);
  reader.end();
  return builder.reply!;
}

/** The bytes of a stream come in pieces of any size. */
function translated(from: Dialect, to: Dialect, stream: string): string {
  const translator = new EventTranslator(from.readStream(), to.writeStream(true));
  const bytes = Buffer.from(stream);
  let out = "";
  for (let at = 0; at < bytes.length; at += 100) out += translator.push(bytes.subarray(at, at + 100));
  return out + translator.end();
}

describe.each(pairs)("what is said in %s", (one, other) => {
  const [from, to] = [dialects[one]!, dialects[other]!];

  it(`is the same after a whole reply went through ${other} and back`, () => {
    fc.assert(
      fc.property(reply, (said) => {
        const there = to.writeReply(from.readReply(from.writeReply(said))!);
        const back = from.readReply(from.writeReply(to.readReply(there)!))!;
        expect(comparable(back)).toEqual(comparable(said));
      }),
      { numRuns: 20 },
    );
  });

  it(`is the same after a stream of interleaved pieces went through ${other} and back`, () => {
    fc.assert(
      fc.property(reply, (said) => {
        const first = write(from, eventsOf(said));
        const back = translated(to, from, translated(from, to, first));
        expect(comparable(read(from, back))).toEqual(comparable(said));
      }),
      { numRuns: 20 },
    );
  });
});

it("Anthropic's streams have one block open at a time, numbered in order, however calls come", () => {
  fc.assert(
    fc.property(reply, (said) => {
      const stream = translated(chatDialect, messagesDialect, write(chatDialect, eventsOf(said)));
      const events = stream
        .split("\n")
        .flatMap((line) => (line.startsWith("data: ") ? [JSON.parse(line.slice(6))] : []));
      let open: number | undefined;
      let blocks = 0;
      for (const { type, index } of events as { type: string; index: number }[]) {
        if (!type.startsWith("content_block")) continue;
        if (type === "content_block_start") {
          expect([open, index]).toEqual([undefined, blocks]);
          open = index;
          blocks += 1;
        } else expect(index).toBe(open);
        if (type === "content_block_stop") open = undefined;
      }
      expect(blocks).toBe(said.parts.length);
    }),
  );
});
