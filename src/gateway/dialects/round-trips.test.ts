import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { languageDialect } from "../ai-sdk/language-dialect.ts";
import type { Json } from "../json.ts";
import { ReplyBuilder } from "./build-reply.ts";
import { chatDialect } from "./chat/chat-dialect.ts";
import type { Dialect } from "./dialect.ts";
import { messagesDialect } from "./messages/messages-dialect.ts";
import { responsesDialect } from "./responses/responses-dialect.ts";
import { EventTranslator } from "./translate.ts";
import type { CallPart, Message, Part, Reply, ToolChoice, TurnEvent, TurnRequest } from "./turn.ts";

const dialects: Readonly<Record<string, Dialect>> = {
  "chat completions": chatDialect,
  messages: messagesDialect,
  responses: responsesDialect,
  "the AI SDK": languageDialect,
};
const pairs = Object.keys(dialects).flatMap((one) => Object.keys(dialects).map((other) => [one, other] as const));

const word = fc.string({ unit: "grapheme", minLength: 1, maxLength: 12 });
const name = fc.stringMatching(/^[a-z]{1,8}$/);
const base64 = fc.base64String({ minLength: 4, maxLength: 12 });
const cache = fc.option(fc.constant({ type: "ephemeral", ttl: "1h" }), { nil: undefined });
const some = <Value>(value: fc.Arbitrary<Value>, maxLength = 3) => fc.array(value, { maxLength });
const defined = <Value extends object>(value: Value) =>
  Object.fromEntries(Object.entries(value).filter(([, one]) => one !== undefined)) as Value;
const part = <Value extends object>(members: { [Name in keyof Value]: fc.Arbitrary<Value[Name]> }) =>
  fc.record(members).map((one) => defined(one as object) as unknown as Part);
const maybe = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: undefined });
const type = <Name extends string>(value: Name) => fc.constant(value);

const url = name.map((one) => ({ type: "url", url: `https://files.example/${one}` }) as const);
const bytesOf = (mediaType: string) => base64.map((data) => ({ type: "base64", mediaType, data }) as const);
const text = (cached = cache) => part({ type: type("text"), text: word, cache: cached });
const image = (cached = cache) =>
  part({ type: type("image"), source: fc.oneof(url, bytesOf("image/png")), cache: cached });
const file = part({ type: type("file"), source: bytesOf("application/pdf"), name: name, cache });
const audio = part({ type: type("audio"), data: base64, format: fc.constantFrom("wav", "mp3"), cache });
const none = fc.constant(undefined);
const thought = fc.oneof(
  part({ type: type("reasoning"), text: word, signature: maybe(base64) }),
  part({ type: type("reasoning"), text: type(""), encrypted: base64 }),
  part({
    type: type("reasoning"),
    text: word,
    isSummary: maybe(fc.constant(true as const)),
    encrypted: maybe(base64),
    id: maybe(name),
    format: fc.constantFrom("openai-responses-v1", "google-gemini-v1"),
  }),
);
const call = (at: number) =>
  part({
    type: type("call"),
    id: name.map((one) => `call_${at}_${one}`),
    name,
    arguments: fc.dictionary(name, word, { maxKeys: 3 }).map((one) => JSON.stringify(one)),
    signature: maybe(base64),
  });
const calls = fc
  .integer({ min: 0, max: 3 })
  .chain((count) => fc.tuple(...Array.from({ length: count }, (_, at) => call(at))));
const count = fc.nat(10_000);

const reply: fc.Arbitrary<Reply> = fc
  .record({
    thoughts: some(thought),
    texts: some(text(none), 1),
    images: some(image(none), 2),
    audios: some(part({ type: type("audio"), data: base64, format: type("wav") }), 1),
    calls,
    cut: fc.constantFrom("stop", "length", "content_filter"),
    counts: fc.tuple(count, count, count, count, count),
    cost: maybe(fc.constantFrom(0.5, 0.0000012)),
  })
  .map(
    ({ thoughts, texts, images, audios, calls, cut, counts: [input, cached, written, output, thoughtOf], cost }) => ({
      head: { id: "reply", created: 1, model: "acme/model" },
      parts: [...thoughts, ...texts, ...images, ...audios, ...calls],
      end: defined({
        reason: (calls.length > 0 ? "tool_calls" : cut) as Reply["end"]["reason"],
        inputTokens: input + cached + written,
        outputTokens: output + thoughtOf,
        cachedTokens: cached,
        cacheWriteTokens: written,
        reasoningTokens: thoughtOf,
        cost,
      }),
    }),
  );

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

/** As models write: each piece by piece, the calls all at once. */
function eventsOf({ head, parts, end }: Reply): TurnEvent[] {
  const events: TurnEvent[] = [{ type: "begin", head }];
  const open: { index: number; letters: string[] }[] = [];
  for (const [index, one] of parts.entries()) {
    const hasPieces = one.type === "text" || one.type === "reasoning" || one.type === "call";
    const letters =
      one.type === "call" ? one.arguments : one.type === "text" || one.type === "reasoning" ? one.text : "";
    const begun = one.type === "call" ? { ...one, arguments: "" } : hasPieces ? { ...one, text: "" } : one;
    events.push({ type: "open", index, part: begun as Part });
    if (one.type === "call") {
      open.push({ index, letters: letters.match(/[\s\S]{1,3}/g) ?? [] });
      continue;
    }
    for (const piece of letters.match(/[\s\S]{1,5}/gu) ?? []) events.push({ type: "more", index, text: piece });
    events.push({ type: "close", index });
  }
  while (open.some(({ letters }) => letters.length > 0)) {
    for (const { index, letters } of open) {
      const piece = letters.shift();
      if (piece !== undefined) events.push({ type: "more", index, text: piece });
    }
  }
  return [...events, ...open.map(({ index }) => ({ type: "close", index }) as const), { type: "end", end }];
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

const result = (callId: string) =>
  fc
    .array(fc.oneof(text(), image()), { minLength: 1, maxLength: 2 })
    .map((parts): Part => ({ type: "result", callId, parts }));
const exchange = fc
  .record({
    asked: fc.array(fc.oneof(text(), image(), file, audio), { minLength: 1, maxLength: 3 }),
    thoughts: some(thought, 2),
    said: some(text(none), 1),
    calls,
  })
  .chain(({ asked, thoughts, said, calls }) =>
    fc
      .tuple(...calls.map((one) => result((one as CallPart).id)))
      .map((results): Message[] => [
        { role: "user", parts: asked },
        ...(said.length + calls.length > 0 ? [{ role: "assistant", parts: [...thoughts, ...said, ...calls] }] : []),
        ...results.map((one) => ({ role: "tool", parts: [one] })),
      ]),
  );
const request: fc.Arbitrary<TurnRequest> = fc
  .record({
    system: some(text(), 2),
    exchanges: fc.array(exchange, { minLength: 1, maxLength: 2 }),
    tools: some(
      fc.record({ name, description: word, parameters: fc.constant({ type: "object", properties: {} }), cache }),
      2,
    ),
    choice: fc.constantFrom<ToolChoice>("auto", "required", "none", { name: "tool" } as const),
    maxTokens: fc.integer({ min: 1, max: 9_000 }),
    temperature: maybe(fc.constantFrom(0, 0.5, 1)),
    stop: maybe(fc.array(word, { minLength: 1, maxLength: 2 })),
    format: maybe(fc.constant({ schema: { type: "object" }, name: "answer" })),
    reasoning: maybe(fc.constantFrom({ maxTokens: 2048 }, { effort: "high" }, { isOn: true }, { isOn: false })),
    seed: maybe(count),
    user: maybe(name),
  })
  .map(({ system, exchanges, tools, choice, ...others }) => ({
    model: "acme/model",
    stream: true,
    messages: [...(system.length > 0 ? [{ role: "system", parts: system }] : []), ...exchanges.flat()],
    tools: tools.map(defined),
    ...(tools.length > 0 ? { toolChoice: choice } : {}),
    ...defined(others),
    shared: { providerOptions: { anthropic: { some: true } } },
  }));

/** What a dialect has no place for. */
const lost: Readonly<Record<string, readonly (keyof TurnRequest)[]>> = {
  "chat completions": [],
  messages: ["seed"],
  responses: [],
  "the AI SDK": ["reasoning", "user"],
};

function withoutLost(request: TurnRequest, names: readonly string[]): Json {
  const { messages, tools, format, ...rest } = JSON.parse(JSON.stringify(request)) as Record<string, Json[] & Json>;
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
