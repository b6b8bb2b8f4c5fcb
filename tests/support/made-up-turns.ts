import fc from "fast-check";
import type {
  CallPart,
  Message,
  Part,
  Reply,
  ToolChoice,
  TurnEvent,
  TurnRequest,
} from "../../src/gateway/dialects/turn.ts";

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

export const reply: fc.Arbitrary<Reply> = fc
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

/** As models write: each piece by piece, the calls all at once. */
export function eventsOf({ head, parts, end }: Reply): TurnEvent[] {
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
export const request: fc.Arbitrary<TurnRequest> = fc
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
