import type { Json } from "../json.ts";
import { parseObject } from "../json.ts";
import { editJson } from "./edit-json.ts";
import { billingWords } from "./redact.ts";
import { WrittenText } from "./written-text.ts";

/** What becomes of an event: it stays as it is, is left out, or has other data. */
export type Verdict = "keep" | "drop" | { readonly data: string };

export interface EventFilterOptions {
  /** Hides `"usage": null`, which upstreams add to every chunk when usage is asked for. */
  hidesUsage: boolean;
  /** Looks at the events that may tell usage, cost or an error. */
  judge(event: Json, text: string): Verdict;
  /** The first event that is JSON, which carries the upstream's name for the request. */
  onFirst(event: Json): void;
}

const newline = 0x0a;
const largestEvent = 32_000_000;
const nullUsage = ',"usage":null';
const interesting = new RegExp(`"usage"|"error"|\\[DONE\\]|${billingWords.source}`);
/** Ends of streams that do not say [DONE]: OpenAI's responses, Anthropic's messages, the AI SDK's parts. */
const endings =
  /"finish_reason":\s*"|"type":\s*"(response\.(completed|incomplete|failed)|message_stop|finish|speech\.audio\.done|transcript\.text\.done)"/;

/** Hands server-sent events on byte for byte, whole events at a time, and stops only at those that matter. */
export class EventFilter {
  /** Whether the upstream said that it was done, and whether the model did. */
  isDone = false;
  isFinished = false;
  /** Whether any event was JSON, and what the model wrote so far. */
  hasBegun = false;
  readonly written = new WrittenText();
  readonly #options: EventFilterOptions;
  #parts: Buffer[] = [];
  #held = 0;

  constructor(options: EventFilterOptions) {
    this.#options = options;
  }

  /** Whether there is something in it: not only a role, usage, or what a filter thinks of the question. */
  get hasContent(): boolean {
    return this.hasBegun && (this.isFinished || this.written.isSomething);
  }

  /** What may leave now; undefined while an event is incomplete. */
  push(chunk: Buffer): Buffer | undefined {
    if (this.#parts.length > 0) {
      // A boundary may lie across chunks, of which the last ones may be single bytes.
      const edge = Buffer.concat([...this.#parts.slice(-3).map((part) => part.subarray(-3)), chunk]);
      if (boundaryIn(edge) < 0) return this.#keep(chunk);
      return this.#take(Buffer.concat([...this.#parts, chunk]));
    }
    return this.#take(chunk);
  }

  /** What was left when the upstream ended: a last event without its blank line, or half of one. */
  rest(): Buffer | undefined {
    if (this.#held === 0) return undefined;
    const rest = Buffer.concat(this.#parts);
    this.#parts = [];
    this.#held = 0;
    const text = rest.toString("utf8").trimEnd();
    if (!isWhole(text)) return undefined;
    this.written.add(rest.toString("latin1"));
    return this.#inspect(`${text}\n\n`);
  }

  #keep(chunk: Buffer): undefined {
    this.#held += chunk.length;
    if (this.#held > largestEvent) throw new Error("the upstream sent an event without end");
    this.#parts.push(chunk);
  }

  #take(data: Buffer): Buffer | undefined {
    this.#parts = [];
    this.#held = 0;
    const cut = boundaryIn(data);
    if (cut < 0) return this.#keep(data);
    if (cut < data.length) this.#keep(data.subarray(cut));
    const whole = cut < data.length ? data.subarray(0, cut) : data;
    // One byte, one character: fast, and what matters here is plain ASCII.
    const text = whole.toString("latin1");
    this.written.add(text);
    if (!this.hasBegun) return this.#inspect(whole.toString("utf8"));
    const hasWord = interesting.test(text);
    const plain = hasWord ? text.replaceAll(nullUsage, "") : text;
    if (hasWord && interesting.test(plain)) return this.#inspect(whole.toString("utf8"));
    if (!this.isFinished && endings.test(text)) this.isFinished = true;
    return this.#options.hidesUsage && plain.length < text.length ? Buffer.from(plain, "latin1") : whole;
  }

  #inspect(text: string): Buffer | undefined {
    let kept = "";
    for (const event of text.split(/(?<=\r?\n\r?\n)/)) {
      kept += this.#inspectOne(event);
      if (this.isDone) break;
    }
    return kept === "" ? undefined : Buffer.from(kept, "utf8");
  }

  #inspectOne(event: string): string {
    // A stream may begin with a byte order mark, which belongs to no line.
    const lines = event.replace(/^\ufeff/, "").split(/\r?\n/);
    const data = lines.filter((line) => line.startsWith("data:")).map((line) => line.slice(5).trimStart());
    if (data.length === 0) return event;
    const payload = data.join("\n");
    if (payload.trim() === "[DONE]") {
      this.isDone = true;
      return event;
    }
    const json = parseObject(payload);
    if (!json) return event;
    if (endings.test(event)) this.isFinished = true;
    if (!this.hasBegun) {
      this.hasBegun = true;
      this.#options.onFirst(json);
    }
    const shown = this.#options.hidesUsage && json.usage === null ? withoutUsage(payload, json) : payload;
    let verdict = this.#options.judge(json, shown);
    if (verdict === "drop") return "";
    if (verdict === "keep") {
      if (shown === payload) return event;
      verdict = { data: shown };
    }
    const others = lines.filter((line) => line !== "" && !line.startsWith("data:"));
    const written = verdict.data.split("\n").map((line) => `data: ${line}`);
    return `${[...others, ...written].join("\n")}\n\n`;
  }
}

function withoutUsage(text: string, json: Json): string {
  const edited = editJson(text, json, ([name]) => (name === "usage" ? { remove: true } : "skip"));
  delete json.usage;
  return edited;
}

/** After the last blank line; -1 without one. */
function boundaryIn(data: Buffer): number {
  // Upstreams write whole events.
  if (data.length > 1 && data[data.length - 1] === newline && data[data.length - 2] === newline) return data.length;
  const plain = data.lastIndexOf("\n\n");
  // Also when only the blank line ends so.
  const windows = data.lastIndexOf("\n\r\n");
  if (plain < 0 && windows < 0) return -1;
  return Math.max(plain < 0 ? -1 : plain + 2, windows < 0 ? -1 : windows + 3);
}

function isWhole(text: string): boolean {
  const data = text.split(/\r?\n/).filter((line) => line.startsWith("data:"));
  const payload = data.map((line) => line.slice(5).trimStart()).join("\n");
  return payload.trim() === "[DONE]" || parseObject(payload) !== undefined;
}
