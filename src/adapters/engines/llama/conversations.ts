import type { LlamaModel } from "node-llama-cpp";
import type { ChatRequest } from "../../../ports/chat-engine.ts";
import { ChatTemplate } from "./chat-template.ts";
import type { Manner } from "./generate.ts";
import { toolSyntaxOf } from "./tool-syntax.ts";
import { FRAME_MARKS, type Prompt, writePrompt } from "./write-prompt.ts";
import { writeTemplated } from "./write-templated.ts";

/** How conversations with a model are written down. */
export interface Conversations {
  readonly manner: Manner;
  write(request: ChatRequest, budget: number): Prompt;
}

/** With the model's own template, or as the shipped model wants it. */
export function createConversations(model: LlamaModel, template: string | undefined): Conversations {
  return template === undefined ? likeTinyLlama(model) : byTemplate(model, template);
}

function likeTinyLlama(model: LlamaModel): Conversations {
  const tokenizer = {
    begin: model.tokens.bos ?? 1,
    end: model.tokens.eos ?? 2,
    tokenize: (text: string): number[] => model.tokenize(text, false),
  };
  return {
    // Weights of two bits know little beside the likeliest word, and repeat themselves (bench/words/everyday).
    manner: { temperature: 0.1, penalty: 1.15, frameMarks: FRAME_MARKS, tools: undefined },
    write: ({ messages }, budget) => writePrompt(messages, tokenizer, budget),
  };
}

function byTemplate(model: LlamaModel, source: string): Conversations {
  const { bos, bosString, eosString, shouldPrependBosToken } = model.tokens;
  const template = new ChatTemplate(source, { begin: bosString ?? "", end: eosString ?? "" });
  const words = (text: string): number[] => (text === "" ? [] : model.tokenize(text, false, "trimLeadingSpace"));
  const tokenizer = {
    begin: shouldPrependBosToken && bos !== null ? bos : undefined,
    ellipsis: words("[...]"),
    frame: (text: string): number[] => model.tokenize(text, true, "trimLeadingSpace"),
    words,
  };
  return {
    // Between what the makers of Qwen, Llama and Gemma advise; the penalty is slight, because they need none (guesses).
    manner: { temperature: 0.6, penalty: 1.05, frameMarks: [], tools: toolSyntaxOf(source) },
    write: ({ messages, tools = [] }, budget) => writeTemplated(messages, tools, template, tokenizer, budget),
  };
}
