import type { ChatMessage } from "../../../ports/chat-engine.ts";
import { fitConversation, type TokenizedMessage } from "./fit-conversation.ts";

/** Short answers in the style of speech: they are read aloud as often as read, and a small model wanders when it goes on. */
export const DEFAULT_SYSTEM_PROMPT =
  "You are a friendly, helpful assistant. Answer in one to three short, plain sentences, the way people speak. " +
  "If you do not know, say so.";

/** What the prompt needs from the model's tokenizer. */
export interface PromptTokenizer {
  readonly begin: number;
  readonly end: number;
  /** Never gives special tokens: what people write cannot act as the frame around it. */
  tokenize(text: string): number[];
}

export interface Prompt {
  readonly tokens: number[];
  /** How many tokens at its beginning are the same for everybody. */
  readonly openTokens: number;
}

/** Texts that would pass for the frame around messages, in a question as well as in an answer. */
export const FRAME_MARKS = ["<|system|>", "<|user|>", "<|assistant|>"] as const;

/** TinyLlama's way of writing a conversation: `<|role|>`, a line break, the text, the end token. Each message is tokenized by
 *  itself, so that a conversation that goes on begins with the same tokens as before. */
export function writePrompt(messages: readonly ChatMessage[], tokenizer: PromptTokenizer, budget: number): Prompt {
  const hasSystem = messages.some(({ role }) => role === "system");
  const given: readonly ChatMessage[] = hasSystem
    ? messages
    : [{ role: "system", content: DEFAULT_SYSTEM_PROMPT }, ...messages];
  const lead = (role: string, isFirst: boolean) => `${isFirst ? "" : "\n"}<|${role}|>\n`;
  const tokenized = given.map((message, index): TokenizedMessage => {
    const text = `${lead(message.role, index === 0)}${withoutMarks(message.content)}`;
    return { role: message.role, tokens: tokenizer.tokenize(text) };
  });
  const cue = tokenizer.tokenize(lead("assistant", false));
  const fitted = fitConversation(tokenized, {
    budget: budget - cue.length - 1,
    frame: 1,
    ellipsis: tokenizer.tokenize("[...]"),
  });
  const tokens = [tokenizer.begin];
  for (const message of fitted) tokens.push(...message.tokens, tokenizer.end);
  tokens.push(...cue);
  return { tokens, openTokens: hasSystem ? 1 : fitted[0]!.tokens.length + 2 };
}

function withoutMarks(text: string): string {
  return text.replace(/<\|(system|user|assistant)\|>/g, "<$1>");
}
