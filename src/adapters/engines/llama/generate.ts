import type { LlamaContextSequence } from "node-llama-cpp";
import {
  type Llama,
  type LlamaGrammar,
  LlamaGrammarEvaluationState,
  type LlamaModel,
  type Token,
} from "node-llama-cpp";
import type { ChatEvent, ChatRequest, ToolCall } from "../../../ports/chat-engine.ts";
import { finishJson } from "./finish-json.ts";
import { grammarFor } from "./grammars.ts";
import { isLooping } from "./is-looping.ts";
import type { Rounds } from "./rounds.ts";
import { ThoughtSkipper } from "./skip-thoughts.ts";
import { TextStream } from "./text-stream.ts";
import type { ToolSyntax } from "./tool-syntax.ts";
import { writeCalls } from "./write-calls.ts";
import type { Prompt } from "./write-prompt.ts";

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

/** How a model is asked for its words. */
export interface Manner {
  readonly temperature: number;
  readonly penalty: number;
  /** Texts that would pass for the frame around messages. */
  readonly frameMarks: readonly string[];
  /** How it calls tools; undefined when it cannot. */
  readonly tools: ToolSyntax | undefined;
}

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
  readonly manner: Manner;
}

export async function* generate(options: GenerateOptions): AsyncGenerator<ChatEvent> {
  const { llama, request, manner } = options;
  const grammar = request.jsonSchema ? await grammarFor(llama, request.jsonSchema) : undefined;
  const leave = options.rounds.join();
  try {
    const writing = new Writing(options);
    if (manner.tools && request.tools && request.tools.length > 0) yield* writeCalls(writing, options, manner.tools);
    else yield* writeAnswer(writing, grammar);
  } finally {
    leave();
  }
}

async function* writeAnswer(writing: Writing, grammar: LlamaGrammar | undefined): AsyncGenerator<ChatEvent> {
  const { request, manner, prompt } = writing.options;
  const stops = [...manner.frameMarks, ...(grammar ? [JSON_END] : []), ...(request.stop ?? [])];
  const stream = writing.stream(stops);
  const thoughts = new ThoughtSkipper(!grammar && prompt.isThinking === true);
  let json = "";
  let reason: StopReason = "end";
  for await (const step of writing.write(writing.prompt(), stream, grammar)) {
    if (step.end) reason = step.end;
    const text = grammar ? step.text : thoughts.push(step.text);
    if (grammar) json += step.text;
    if (text !== "") yield { type: "delta", text };
  }
  if (reason === "aborted") return;
  const held = grammar ? "" : thoughts.end();
  if (held !== "") yield { type: "delta", text: held };
  const missing = grammar && reason === "length" ? finishJson(json) : "";
  if (missing !== "") yield { type: "delta", text: missing };
  yield writing.done(reason === "length" ? "length" : "stop");
}

/** `stopped` by a stop text, `end` by the model itself. */
export type StopReason = "end" | "stopped" | "length" | "aborted";

export interface Step {
  readonly text: string;
  readonly end?: StopReason;
}

/** One answer as it is written: what the sequence has read, what was generated, and what is left. */
export class Writing {
  readonly options: GenerateOptions;
  readonly generated: Token[] = [];
  readonly #most: number;
  readonly #startedMs = performance.now();

  constructor(options: GenerateOptions) {
    const { request, sequence, prompt } = options;
    this.options = options;
    this.#most = Math.min(request.maxTokens ?? DEFAULT_REPLY_TOKENS, sequence.contextSize - prompt.tokens.length - 1);
  }

  /** The tokens of the prompt that are still to be read. */
  prompt(): Token[] {
    return (this.options.prompt.tokens as Token[]).slice(this.options.cachedTokens);
  }

  stream(stops: readonly string[]): TextStream {
    const { model, prompt } = this.options;
    return new TextStream((tokens, before) => model.detokenize(tokens as Token[], false, before as Token[]), stops, [
      ...prompt.tokens,
      ...this.generated,
    ]);
  }

  /** Reads these tokens and goes on writing, in step with the other conversations. The last step says why it ended; the token that
   *  ended it is not read yet. */
  async *write(
    tokens: Token[],
    stream: TextStream,
    grammar?: LlamaGrammar,
    isEnd?: (token: Token) => boolean,
  ): AsyncGenerator<Step> {
    const { sequence, rounds, place, signal } = this.options;
    const rest = [...tokens];
    await rounds.ready(place);
    for (;;) {
      const stretch = rounds.members > 1 ? READ_BESIDE_OTHERS : READ_AT_ONCE;
      if (rest.length <= stretch || signal.aborted) break;
      await sequence.evaluateWithoutGeneratingNewTokens(rest.splice(0, stretch));
      await rounds.ready(place);
    }
    signal.throwIfAborted();
    let end: StopReason = "end";
    for await (const token of sequence.evaluate(rest, this.#sampling(grammar))) {
      if (signal.aborted) {
        end = "aborted";
        break;
      }
      this.generated.push(token);
      if (isEnd?.(token)) {
        end = "stopped";
        break;
      }
      const text = stream.push(token);
      if (text !== "") yield { text };
      if (stream.isStopped) {
        end = "stopped";
        break;
      }
      if (this.generated.length >= this.#most || performance.now() - this.#startedMs > MOST_MS) {
        end = "length";
        break;
      }
      if (!grammar && isLooping(this.generated)) break;
      await rounds.ready(place);
      if (signal.aborted) {
        end = "aborted";
        break;
      }
    }
    yield { text: end === "aborted" ? "" : stream.end(), end };
  }

  done(finishReason: "stop" | "length", toolCalls: readonly ToolCall[] = []): ChatEvent {
    const { prompt, cachedTokens } = this.options;
    const usage = { inputTokens: prompt.tokens.length, outputTokens: this.generated.length, cachedTokens };
    return { type: "done", finishReason, usage, ...(toolCalls.length > 0 ? { toolCalls } : {}) };
  }

  #sampling(grammar: LlamaGrammar | undefined) {
    const { request, model, manner } = this.options;
    const punishTokens = () => this.generated.slice(-REMEMBERED_FOR_PENALTY);
    return {
      temperature: request.temperature ?? manner.temperature,
      topP: request.topP ?? 0.9,
      topK: 40,
      minP: 0.05,
      ...(request.seed === undefined ? {} : { seed: request.seed >>> 0 }),
      ...(grammar
        ? { grammarEvaluationState: new LlamaGrammarEvaluationState({ model, grammar }) }
        : { repeatPenalty: { penalty: manner.penalty, punishTokens } }),
    };
  }
}
