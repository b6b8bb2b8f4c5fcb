import type { ChatMessage } from "../../../ports/chat-engine.ts";
import { fitConversation, type TokenizedMessage } from "./fit-conversation.ts";

/** What a conversation without instructions of its own begins with. A model this small recites instructions when it is greeted; it
 *  goes on as it sees others go on, so it is shown a few short turns instead (bench/words/everyday). */
const opening: readonly ChatMessage[] = [
  { role: "system", content: "You are a friendly assistant who gives short answers." },
  ...turns(
    ["Hello!", "Hello! How can I help you today?"],
    ["What is 3 plus 5?", "3 plus 5 is 8."],
    ["What is the capital of Norway?", "The capital of Norway is Oslo."],
    ["I lost my keys.", "I'm sorry to hear that. Where did you see them last?"],
    ["Thank you.", "You're welcome!"],
  ),
];

function turns(...pairs: readonly (readonly [question: string, answer: string])[]): ChatMessage[] {
  return pairs.flatMap(([question, answer]): ChatMessage[] => [
    { role: "user", content: question },
    { role: "assistant", content: answer },
  ]);
}

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
  /** It ends within a thought, so that the answer begins in one. */
  readonly isThinking?: boolean;
}

/** Texts that would pass for the frame around messages, in a question as well as in an answer. */
export const FRAME_MARKS = ["<|system|>", "<|user|>", "<|assistant|>"] as const;

/** TinyLlama's way of writing a conversation: `<|role|>`, a line break, the text, the end token. Each message is tokenized by
 *  itself, so that a conversation that goes on begins with the same tokens as before. */
export function writePrompt(messages: readonly ChatMessage[], tokenizer: PromptTokenizer, budget: number): Prompt {
  const hasSystem = messages.some(({ role }) => role === "system");
  const tokens = hasSystem ? [tokenizer.begin] : openingTokens(tokenizer);
  const openTokens = tokens.length;
  const cue = tokenizer.tokenize(lead("assistant", false));
  const fitted = fitConversation(tokenizeAll(messages, tokenizer, hasSystem), {
    budget: budget - cue.length - openTokens,
    frame: 1,
    ellipsis: tokenizer.tokenize("[...]"),
  });
  for (const message of fitted) tokens.push(...message.tokens, tokenizer.end);
  tokens.push(...cue);
  return { tokens, openTokens };
}

/** What every conversation without instructions of its own begins with. */
export function openingTokens(tokenizer: PromptTokenizer): number[] {
  const shown = tokenizeAll(opening, tokenizer, true);
  return [tokenizer.begin, ...shown.flatMap((message) => [...message.tokens, tokenizer.end])];
}

function tokenizeAll(
  messages: readonly ChatMessage[],
  tokenizer: PromptTokenizer,
  isBeginning: boolean,
): TokenizedMessage[] {
  return messages.map(({ role, content }, index) => {
    const text = `${lead(role, isBeginning && index === 0)}${withoutMarks(content)}`;
    return { role: role === "tool" ? "user" : role, tokens: tokenizer.tokenize(text) };
  });
}

function lead(role: string, isFirst: boolean): string {
  return `${isFirst ? "" : "\n"}<|${role}|>\n`;
}

function withoutMarks(text: string): string {
  return text.replace(/<\|(system|user|assistant)\|>/g, "<$1>");
}
