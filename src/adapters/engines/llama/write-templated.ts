import { Problem } from "../../../platform/errors.ts";
import type { ChatMessage, ChatTool } from "../../../ports/chat-engine.ts";
import type { ChatTemplate } from "./chat-template.ts";
import { fitConversation, type TokenizedMessage } from "./fit-conversation.ts";
import type { Prompt } from "./write-prompt.ts";

export interface TemplateTokenizer {
  /** Put before a prompt whose template does not begin with it; undefined for models that want none. */
  readonly begin: number | undefined;
  readonly ellipsis: readonly number[];
  /** The template's own text, in which special tokens are special. */
  frame(text: string): number[];
  /** What people wrote, in which nothing is. */
  words(text: string): number[];
}

/** Tokens around a message; what a template really takes is counted afterwards. */
const usualFrame = 10;
const mostTries = 4;

type Held = TokenizedMessage & { readonly message: ChatMessage };

/** A conversation in the words of the model's own template, as long as fits. */
export function writeTemplated(
  messages: readonly ChatMessage[],
  tools: readonly ChatTool[],
  template: ChatTemplate,
  tokenizer: TemplateTokenizer,
  budget: number,
): Prompt {
  const all = messages.map((message): Held => {
    const content = message.role === "assistant" ? withoutThoughts(message.content) : message.content;
    return {
      role: message.role === "tool" ? "user" : message.role,
      tokens: tokenizer.words(content),
      message: { ...message, content },
    };
  });
  const gap = tokenizer.words("\n\n");
  let room = budget;
  for (let attempt = 0; attempt < mostTries; attempt++) {
    const fitted = fitConversation(all, { budget: room, frame: usualFrame, ellipsis: tokenizer.ellipsis }) as Held[];
    const { tokens, isThinking } = render(joinNeighbours(answered(fitted), gap), tools, template, tokenizer);
    if (tokens.length <= budget) return { tokens, isThinking };
    room -= tokens.length - budget + usualFrame;
    if (room < 4 * usualFrame) break;
  }
  throw new Problem("too_large", `The instructions and tools of this request do not fit the model's ${budget} tokens.`);
}

function render(
  held: readonly Held[],
  tools: readonly ChatTool[],
  template: ChatTemplate,
  tokenizer: TemplateTokenizer,
): { tokens: number[]; isThinking: boolean } {
  const stretches = template.render(
    held.map(({ message }) => message),
    tools,
  );
  const tokens = stretches.flatMap((stretch) =>
    "frame" in stretch ? tokenizer.frame(stretch.frame) : held[stretch.message]!.tokens,
  );
  const { begin } = tokenizer;
  const last = stretches.at(-1);
  return {
    tokens: begin === undefined || tokens[0] === begin ? tokens : [begin, ...tokens],
    isThinking: last !== undefined && "frame" in last && last.frame.trimEnd().endsWith("<think>"),
  };
}

/** The answer of a tool whose call was left out means nothing, and some templates refuse it. */
function answered(held: readonly Held[]): Held[] {
  const calls = new Set(held.flatMap(({ message }) => (message.toolCalls ?? []).map(({ id }) => id)));
  return held.filter(({ message }) => message.role !== "tool" || calls.has(message.toolCallId ?? ""));
}

/** Many templates want questions and answers by turns, which what was left out may have upset. */
function joinNeighbours(held: readonly Held[], gap: readonly number[]): Held[] {
  const joined: Held[] = [];
  for (const one of held) {
    const last = joined.at(-1);
    const isPlain = one.message.role === "user" || one.message.role === "system";
    if (last && isPlain && last.message.role === one.message.role) {
      const content = `${last.message.content}\n\n${one.message.content}`;
      joined[joined.length - 1] = {
        ...last,
        tokens: [...last.tokens, ...gap, ...one.tokens],
        message: { ...last.message, content },
      };
    } else joined.push(one);
  }
  return joined;
}

/** What a model thought before an answer of the past is neither read nor paid for again. */
function withoutThoughts(text: string): string {
  return text.replace(/^\s*<think>[\s\S]*?<\/think>\s*/, "");
}
