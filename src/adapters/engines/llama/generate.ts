import type { LlamaContextSequence } from "node-llama-cpp";
import {
  type Llama,
  type LlamaGrammar,
  LlamaGrammarEvaluationState,
  type LlamaModel,
  type Token,
} from "node-llama-cpp";
import { Problem } from "../../../platform/errors.ts";
import type { ChatEvent, ChatRequest } from "../../../ports/chat-engine.ts";
import { finishJson } from "./finish-json.ts";
import { isLooping } from "./is-looping.ts";
import type { Rounds } from "./rounds.ts";
import { TextStream } from "./text-stream.ts";
import { FRAME_MARKS, type Prompt } from "./write-prompt.ts";

/** Tokens of a prompt that are read at once. */
export const READ_AT_ONCE = 64;
/** Beside other conversations: each of their words waits for so many tokens at most. */
const READ_BESIDE_OTHERS = 16;
export const DEFAULT_REPLY_TOKENS = 512;
/** A generation that crawls on a busy machine ends as one that became too long. */
const MOST_MS = 300_000;
const REMEMBERED_FOR_PENALTY = 64;
/** A grammar of the runtime asks for this many line breaks once the JSON is complete. */
const JSON_END = "\n\n\n\n";

export interface GenerateOptions {
  readonly llama: Llama;
  readonly model: LlamaModel;
  readonly sequence: LlamaContextSequence;
  /** The sequence's place in the model's memory. */
  readonly place: number;
  readonly prompt: Prompt;
  /** Tokens at its beginning that the sequence holds already. */
  readonly cachedTokens: number;
  readonly request: ChatRequest;
  readonly signal: AbortSignal;
  readonly rounds: Rounds;
}

export async function* generate(options: GenerateOptions): AsyncGenerator<ChatEvent> {
  const grammar = options.request.jsonSchema ? await grammarFor(options.llama, options.request.jsonSchema) : undefined;
  const leave = options.rounds.join();
  try {
    yield* generateInRounds(options, grammar);
  } finally {
    leave();
  }
}

async function* generateInRounds(
  options: GenerateOptions,
  grammar: LlamaGrammar | undefined,
): AsyncGenerator<ChatEvent> {
  const { model, sequence, prompt, cachedTokens, request, signal, rounds, place } = options;
  const stops = [...FRAME_MARKS, ...(grammar ? [JSON_END] : []), ...(request.stop ?? [])];
  const stream = new TextStream(
    (tokens, before) => model.detokenize(tokens as Token[], false, before as Token[]),
    stops,
    prompt.tokens,
  );
  const most = Math.min(request.maxTokens ?? DEFAULT_REPLY_TOKENS, sequence.contextSize - prompt.tokens.length - 1);
  const startedMs = performance.now();
  const generated: Token[] = [];
  let finishReason: "stop" | "length" = "stop";
  let json = "";
  const delta = (text: string): ChatEvent => {
    if (grammar) json += text;
    return { type: "delta", text };
  };

  const rest = (prompt.tokens as Token[]).slice(cachedTokens);
  await rounds.ready(place);
  for (;;) {
    const stretch = rounds.members > 1 ? READ_BESIDE_OTHERS : READ_AT_ONCE;
    if (rest.length <= stretch || signal.aborted) break;
    await sequence.evaluateWithoutGeneratingNewTokens(rest.splice(0, stretch));
    await rounds.ready(place);
  }
  signal.throwIfAborted();
  for await (const token of sequence.evaluate(rest, samplingFor(request, model, generated, grammar))) {
    if (signal.aborted) return;
    generated.push(token);
    const text = stream.push(token);
    if (text !== "") yield delta(text);
    if (stream.isStopped) break;
    if (generated.length >= most || performance.now() - startedMs > MOST_MS) {
      finishReason = "length";
      break;
    }
    if (!grammar && isLooping(generated)) break;
    await rounds.ready(place);
    if (signal.aborted) return;
  }
  const held = stream.end();
  if (held !== "") yield delta(held);
  const missing = grammar && finishReason === "length" ? finishJson(json) : "";
  if (missing !== "") yield delta(missing);
  yield {
    type: "done",
    finishReason,
    usage: { inputTokens: prompt.tokens.length, outputTokens: generated.length, cachedTokens },
  };
}

function samplingFor(request: ChatRequest, model: LlamaModel, generated: Token[], grammar: LlamaGrammar | undefined) {
  const temperature = request.temperature ?? 0.4;
  return {
    temperature,
    topP: request.topP ?? 0.9,
    topK: 40,
    minP: 0.05,
    ...(request.seed === undefined ? {} : { seed: request.seed >>> 0 }),
    ...(grammar
      ? { grammarEvaluationState: new LlamaGrammarEvaluationState({ model, grammar }) }
      : { repeatPenalty: { penalty: 1.15, punishTokens: () => generated.slice(-REMEMBERED_FOR_PENALTY) } }),
  };
}

const grammars = new Map<string, Promise<LlamaGrammar>>();

async function grammarFor(llama: Llama, schema: object | true): Promise<LlamaGrammar> {
  const key = JSON.stringify(schema);
  let grammar = grammars.get(key);
  if (!grammar) {
    grammar = schema === true ? llama.getGrammarFor("json") : llama.createGrammarForJsonSchema(schema as never);
    if (grammars.size > 32) grammars.delete(grammars.keys().next().value!);
    grammars.set(key, grammar);
  }
  return grammar.catch((cause: unknown) => {
    grammars.delete(key);
    throw new Problem("invalid_request", "The JSON schema uses something this model cannot be held to.", { cause });
  });
}
