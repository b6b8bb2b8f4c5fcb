import { countTokens } from "../charging/count-tokens.ts";

/** So many characters are kept to be counted; what is beyond counts in proportion. */
const mostKept = 262_144;

const value = '"\\s*:\\s*"([^"\\\\]*(?:\\\\.[^"\\\\]*)*)"';
/** Where the dialects have what the model writes. Each says it once more at the end, in other members. */
const writings = {
  chat: new RegExp(`"(?:content|reasoning|reasoning_content|refusal|arguments|text)${value}`, "g"),
  responses: new RegExp(`"delta${value}`, "g"),
  messages: new RegExp(`"(?:text|thinking|partial_json)${value}`, "g"),
  parts: new RegExp(`"delta${value}`, "g"),
};

/** What a model writes in the course of a stream, kept until it is known whether somebody must count it. Neither comments nor the
 *  size of the chunks change the count. */
export class WrittenText {
  #dialect: keyof typeof writings | "other" | undefined;
  #parts: string[] = [];
  #kept = 0;
  #length = 0;
  #isEmpty = true;

  /** Nothing was written yet. */
  get isEmpty(): boolean {
    return this.#isEmpty;
  }

  /** It began in the way that its dialect has: before that, chats only name a role, usage, or what a filter found. */
  get isSomething(): boolean {
    return !this.#isEmpty || (this.#dialect !== undefined && !this.#maySayNothing);
  }

  /** A chat's first event only names a role, and the AI SDK's first parts only the model. */
  get #maySayNothing(): boolean {
    return this.#dialect === "chat" || this.#dialect === "parts";
  }

  /** Whole events, one character for each byte. */
  add(events: string): void {
    this.#dialect ??= dialectOf(events);
    if (this.#dialect === undefined) return;
    if (this.#dialect === "other") {
      if (events.includes("data:")) this.#isEmpty = false;
      return;
    }
    // OpenRouter tells the same thoughts twice.
    const plain = events.includes("reasoning_details") ? events.replace(details, "") : events;
    const pattern = writings[this.#dialect];
    // Not matchAll, which makes a pattern of its own for every chunk.
    pattern.lastIndex = 0;
    for (let match = pattern.exec(plain); match; match = pattern.exec(plain)) this.#note(match[1]!);
    // A call without arguments, or a picture.
    if (this.#isEmpty && wholeThings.test(events)) this.#isEmpty = false;
  }

  #note(text: string): void {
    if (text === "") return;
    this.#isEmpty = false;
    this.#length += text.length;
    if (this.#kept >= mostKept) return;
    this.#kept += text.length;
    this.#parts.push(text);
  }

  get tokens(): number {
    if (this.#kept === 0) return 0;
    return Math.ceil((countTokens(this.#text()) * this.#length) / this.#kept);
  }

  #text(): string {
    const joined = Buffer.from(this.#parts.join(""), "latin1").toString("utf8");
    try {
      return JSON.parse(`"${joined}"`) as string;
    } catch {
      return joined;
    }
  }
}

/** Undefined as long as there are only comments. */
function dialectOf(events: string) {
  if (!events.includes("data:")) return undefined;
  // Responses have an `error` in nearly every event, which is null.
  if (/"type"\s*:\s*"response\./.test(events)) return "responses";
  if (/"type"\s*:\s*"(message_start|content_block|ping)/.test(events)) return "messages";
  if (/"type"\s*:\s*"(stream-start|response-metadata|(text|reasoning|tool-input)-start)"/.test(events)) return "parts";
  return /"(choices|error)"\s*:/.test(events) ? "chat" : "other";
}

const wholeThings = /"(tool_calls|images|audio)"\s*:\s*[[{]|"type"\s*:\s*"(tool-call|file)"/;
const details = /"reasoning_details"\s*:\s*\[[^\]]*\]/g;
