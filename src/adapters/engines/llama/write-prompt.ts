import type { ChatMessage } from "../../../ports/chat-engine.ts";
import { fitConversation, type TokenizedMessage } from "./fit-conversation.ts";

/** What the prompt needs from the model's tokenizer. */
export interface PromptTokenizer {
  readonly begin: number;
  readonly end: number;
  /** Never gives special tokens: what people write cannot act as the frame around it. */
  tokenize(text: string): number[];
}

export interface Prompt {
  readonly tokens: number[];
  /** It ends within a thought, so that the answer begins in one. */
  readonly isThinking?: boolean;
}

/** Texts that would pass for the frame around messages, in a question as well as in an answer. */
export const FRAME_MARKS = ["<|system|>", "<|user|>", "<|assistant|>"] as const;

/** TinyLlama's way of writing a conversation: `<|role|>`, a line break, the text, the end token. Each message is tokenized by
 *  itself, so that a conversation that goes on begins with the same tokens as before. */
export function writePrompt(messages: readonly ChatMessage[], tokenizer: PromptTokenizer, budget: number): Prompt {
  const tokens = [tokenizer.begin];
  const cue = tokenizer.tokenize(lead("assistant", false));
  const fitted = fitConversation(tokenizeAll(messages, tokenizer), {
    budget: budget - cue.length - tokens.length,
    frame: 1,
    ellipsis: tokenizer.tokenize("[...]"),
  });
  for (const message of fitted) tokens.push(...message.tokens, tokenizer.end);
  tokens.push(...cue);
  return { tokens };
}

function tokenizeAll(messages: readonly ChatMessage[], tokenizer: PromptTokenizer): TokenizedMessage[] {
  return messages.map(({ role, content }, index) => {
    const isFirst = index === 0 && role === "system";
    const text = `${lead(role, isFirst)}${withoutMarks(content)}`;
    return { role: role === "tool" ? "user" : role, tokens: tokenizer.tokenize(text) };
  });
}

function lead(role: string, isFirst: boolean): string {
  return `${isFirst ? "" : "\n"}<|${role}|>\n`;
}

function withoutMarks(text: string): string {
  return text.replace(/<\|(system|user|assistant)\|>/g, "<$1>");
}
