import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { countTokens } from "../charging/count-tokens.ts";
import type { Json } from "../json.ts";
import { EventFilter, type Verdict } from "./event-filter.ts";

const event = (data: unknown) => `data: ${typeof data === "string" ? data : JSON.stringify(data)}\n\n`;

function run(chunks: Buffer[], options: { hidesUsage?: boolean; judge?: (event: Json) => Verdict } = {}) {
  const seen: Json[] = [];
  let firsts = 0;
  const filter = new EventFilter({
    hidesUsage: options.hidesUsage ?? false,
    judge(one) {
      seen.push(one);
      return options.judge?.(one) ?? "keep";
    },
    onFirst: () => {
      firsts += 1;
    },
  });
  const out = chunks.map((chunk) => filter.push(chunk) ?? Buffer.alloc(0));
  out.push(filter.rest() ?? Buffer.alloc(0));
  return { text: Buffer.concat(out).toString("utf8"), seen, filter, firsts };
}

describe("the filter of events", () => {
  it("changes no byte of what it keeps, wherever the chunks are cut", () => {
    const piece = fc.oneof(
      fc.string({ unit: "grapheme" }).map((content) => event({ choices: [{ delta: { content } }] })),
      fc.constant(": ping\n\n"),
      fc.constant(event({ usage: { prompt_tokens: 1 }, choices: [] })),
      fc.constant(`event: ping\nid: 3\n${event({ a: 1 })}`),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), fc.array(fc.nat(400), { maxLength: 12 }), (pieces, cuts) => {
        const whole = Buffer.from(pieces.join("") + event("[DONE]"));
        const at = [...new Set(cuts.map((cut) => cut % (whole.length + 1)))].sort((a, b) => a - b);
        const chunks = [...at, whole.length].map((end, index) => whole.subarray(at[index - 1] ?? 0, end));
        expect(run(chunks).text).toBe(whole.toString("utf8"));
      }),
    );
  });

  it.each(["\r\n\r\n", "\n\r\n"])("understands lines that end as on Windows: %j", (end) => {
    const text = `data: {"a":1}${end}data: {"usage":{"prompt_tokens":3}}${end}data: [DONE]${end}`;
    const { text: out, seen, filter } = run(Array.from(text, (letter) => Buffer.from(letter)));
    expect(out).toBe(text);
    expect(seen).toContainEqual({ usage: { prompt_tokens: 3 } });
    expect(filter.isDone).toBe(true);
  });

  it("takes a null usage out of every chunk and leaves words alone that look like one", () => {
    const said = { choices: [{ delta: { content: 'x,"usage":null' } }], usage: null };
    const { text } = run([Buffer.from(event(said) + event(said))], { hidesUsage: true });
    const { usage: _, ...shown } = said;
    expect(text).toBe(event(shown) + event(shown));
  });

  it("drops and rewrites what it is told to", () => {
    const events = [event({ n: 1 }), event({ n: 2, usage: {} }), event({ n: 3, usage: {} })];
    const judge = (one: Json): Verdict => (one.n === 2 ? "drop" : one.n === 3 ? { data: '{"n":4}' } : "keep");
    expect(run([Buffer.from(events.join(""))], { judge }).text).toBe(event({ n: 1 }) + event({ n: 4 }));
  });

  it("passes what is not JSON as it is", () => {
    const text = 'data: {"usage": not json\n\n';
    expect(run([Buffer.from(text)]).text).toBe(text);
  });

  it("leaves half an event at the end out", () => {
    const { text, filter } = run([Buffer.from(`${event({ a: 1 })}data: {"usage":{"pro`)]);
    expect(text).toBe(event({ a: 1 }));
    expect(filter.isDone).toBe(false);
  });

  it("reads the first event behind a byte order mark, and passes the mark on", () => {
    const text = `\ufeff${event({ id: "x", usage: {} })}`;
    const { text: out, seen } = run([Buffer.from(text)]);
    expect(out).toBe(text);
    expect(seen).toEqual([{ id: "x", usage: {} }]);
  });

  it("tells the first event once", () => {
    expect(run([Buffer.from(`: hi\n\n${event({ id: "x" })}${event({ id: "y" })}`)]).firsts).toBe(1);
  });

  it.each([
    ["chat", [{ choices: [{ delta: { content: "Hello there." } }] }]],
    [
      "responses",
      [
        { type: "response.created", response: { id: "a", error: null, text: { format: { type: "text" } } } },
        { type: "response.output_text.delta", delta: "Hello there." },
        { type: "response.output_text.done", text: "Hello there." },
      ],
    ],
    [
      "messages",
      [
        { type: "message_start", message: { id: "a", content: [] } },
        { type: "content_block_delta", delta: { type: "text_delta", text: "Hello there." } },
      ],
    ],
  ])("counts once what a model writes in %s", (_dialect, events) => {
    const { filter } = run(events.map((one) => Buffer.from(event(one))));
    expect(filter.written.tokens).toBe(countTokens("Hello there."));
    expect(filter.hasContent).toBe(true);
  });

  it("says that a chat has nothing in it until its model writes or ends", () => {
    const role = event({ choices: [{ index: 0, delta: { role: "assistant", content: "" }, finish_reason: null }] });
    const ended = event({ choices: [{ index: 0, delta: {}, finish_reason: "stop" }] });
    expect(run([Buffer.from(role)]).filter.hasContent).toBe(false);
    expect(run([Buffer.from(event({ choices: [], usage: { prompt_tokens: 1 } }))]).filter.hasContent).toBe(false);
    expect(run([Buffer.from(role + ended)]).filter.hasContent).toBe(true);
  });
});
