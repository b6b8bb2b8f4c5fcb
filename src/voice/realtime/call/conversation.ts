import type { ChatMessage } from "../../../ports/chat-engine.ts";
import { languageName } from "../../languages.ts";
import { wordingOf } from "../../speech/tones.ts";

export interface Manner {
  readonly language: string;
  readonly tonePreset: string | undefined;
  readonly styleText: string | undefined;
}

/** Short, because it is read before each first answer, and because small models follow short orders best. */
const aboutCalls =
  "You are a friendly, helpful assistant on a phone call. Answer in one to three short, plain sentences, the way people " +
  "speak. No lists, no markup, no emoji. If you do not know, say so.";

/** What the model is told before the call begins. */
export function callPrompt({ language, tonePreset, styleText }: Manner): string {
  return [
    aboutCalls,
    language.startsWith("en") ? "" : `Always speak ${languageName(language)}.`,
    wordingOf(tonePreset, styleText),
  ]
    .filter(Boolean)
    .join("\n");
}

/** Longer conversations lose their oldest words: models have a window. */
const mostCharacters = 24_000;

/** What was said in a call. It is here and nowhere else, and ends with the call. */
export class Conversation {
  readonly #messages: ChatMessage[] = [];
  readonly #system: ChatMessage;

  constructor(manner: Manner) {
    this.#system = { role: "system", content: callPrompt(manner) };
  }

  /** Words of one side in a row are one message: a caller who was not answered yet just went on. */
  add(role: "user" | "assistant", content: string): void {
    if (content.trim() === "") return;
    const last = this.#messages.at(-1);
    if (last?.role === role)
      this.#messages[this.#messages.length - 1] = { role, content: `${last.content} ${content}` };
    else this.#messages.push({ role, content });
    let total = this.#messages.reduce((sum, message) => sum + message.content.length, 0);
    while (total > mostCharacters && this.#messages.length > 1) total -= this.#messages.shift()!.content.length;
  }

  /** As it would be with these words of the caller. */
  with(heard: string): ChatMessage[] {
    const last = this.#messages.at(-1);
    if (last?.role !== "user") return [this.#system, ...this.#messages, { role: "user", content: heard }];
    const joined = { role: "user" as const, content: `${last.content} ${heard}` };
    return [this.#system, ...this.#messages.slice(0, -1), joined];
  }

  /** What the next answer begins with, whatever is asked. */
  get withoutQuestion(): ChatMessage[] {
    return [this.#system, ...this.#messages];
  }
}
