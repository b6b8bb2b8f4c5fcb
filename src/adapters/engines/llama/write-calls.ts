import { randomUUID } from "node:crypto";
import type { LlamaModel, Token } from "node-llama-cpp";
import type { ChatEvent, ChatRequest, ChatTool, ToolCall } from "../../../ports/chat-engine.ts";
import type { GenerateOptions, StopReason, Writing } from "./generate.ts";
import { grammarFor } from "./grammars.ts";
import { ThoughtSkipper } from "./skip-thoughts.ts";
import { callSchema, MOST_CALLS, readCalls, type ToolSyntax } from "./tool-syntax.ts";

/** An answer of a model that has tools: words, calls, or words and then calls. The model begins a call by itself, unless it must
 *  make one; from there on a grammar holds it to the tools and their schemas. */
export async function* writeCalls(
  writing: Writing,
  options: GenerateOptions,
  syntax: ToolSyntax,
): AsyncGenerator<ChatEvent> {
  const { request, model, llama } = options;
  const tools = allowedTools(request);
  const grammar = await grammarFor(llama, callSchema(tools, syntax));
  const opening = new Opening(model, syntax);
  const isForced = request.toolChoice === "required" || typeof request.toolChoice === "object";
  let next: Token[] = writing.prompt();
  const calls: ToolCall[] = [];
  if (isForced) next.push(...opening.tokens());
  else {
    const reason = yield* writeWords(writing, next, opening);
    if (reason === "aborted") return;
    if (reason !== "stopped") {
      yield writing.done(reason === "length" ? "length" : "stop");
      return;
    }
    next = await opening.goOn(writing);
  }
  for (;;) {
    const made = await writeJson(writing, next, syntax, grammar);
    if (made === "aborted") return;
    if (made === "length") {
      // Half a call is none.
      yield writing.done("length", calls);
      return;
    }
    calls.push(...made.map((call) => ({ id: `call_${randomUUID().replaceAll("-", "")}`, ...call })));
    if (syntax.close === undefined || calls.length >= MOST_CALLS || isForced) break;
    const closing = model.tokenize(syntax.close, true, "trimLeadingSpace");
    const more = await skipWords(writing, [writing.generated.at(-1)!, ...closing], opening);
    if (more === "aborted") return;
    if (more !== "stopped") break;
    next = await opening.goOn(writing);
  }
  yield writing.done("stop", calls);
}

function allowedTools({ tools = [], toolChoice }: ChatRequest): readonly ChatTool[] {
  return typeof toolChoice === "object" ? tools.filter(({ name }) => name === toolChoice.name) : tools;
}

/** How a call begins, as text and, where the model has one, as a token of its own. */
class Opening {
  readonly #model: LlamaModel;
  readonly #text: string;
  readonly #mark: string;
  readonly #token: Token | undefined;

  constructor(model: LlamaModel, { open }: ToolSyntax) {
    this.#model = model;
    this.#text = open;
    this.#mark = open.trim();
    const tokens = this.#mark === "" ? [] : model.tokenize(this.#mark, true, "trimLeadingSpace");
    this.#token = tokens.length === 1 ? tokens[0] : undefined;
  }

  /** Text that ends the words before a call. */
  get stops(): string[] {
    return this.#mark === "" ? [] : [this.#mark];
  }

  isMark(token: Token, position: number): boolean {
    if (this.#mark !== "") return token === this.#token;
    // A call that is nothing but JSON can only be the whole answer.
    return position === 0 && this.#model.detokenize([token], true).trimStart().startsWith("{");
  }

  tokens(): Token[] {
    return this.#text === "" ? [] : this.#model.tokenize(this.#text, true, "trimLeadingSpace");
  }

  /** What is to be read before the JSON of a call that the model has begun. */
  async goOn({ options: { sequence, prompt }, generated }: Writing): Promise<Token[]> {
    if (this.#mark !== "") {
      const blank = this.#text.slice(this.#mark.length);
      return [generated.at(-1)!, ...(blank === "" ? [] : this.#model.tokenize(blank, false, "trimLeadingSpace"))];
    }
    // Its first token is part of the JSON, which the grammar must see from its beginning: it is chosen anew.
    generated.length = 0;
    const end = sequence.nextTokenIndex;
    const start = Math.min(end, prompt.tokens.length) - 1;
    await sequence.eraseContextTokenRanges([{ start, end }]);
    return [prompt.tokens.at(-1) as Token];
  }
}

async function* writeWords(writing: Writing, tokens: Token[], opening: Opening): AsyncGenerator<ChatEvent, StopReason> {
  const { request, manner, prompt } = writing.options;
  const stream = writing.stream([...manner.frameMarks, ...opening.stops, ...(request.stop ?? [])]);
  const thoughts = new ThoughtSkipper(prompt.isThinking === true);
  let reason: StopReason = "end";
  let isCall = false;
  const isEnd = (token: Token) => {
    isCall = opening.isMark(token, writing.generated.length - 1);
    return isCall;
  };
  for await (const step of writing.write(tokens, stream, undefined, isEnd)) {
    if (step.end) reason = step.end;
    const text = thoughts.push(step.text);
    if (text !== "") yield { type: "delta", text };
  }
  const held = reason === "aborted" ? "" : thoughts.end();
  if (held !== "") yield { type: "delta", text: held };
  if (reason !== "stopped") return reason;
  return isCall || opening.stops.includes(stream.stoppedBy ?? "") ? "stopped" : "end";
}

/** Between two calls a model says nothing. */
async function skipWords(writing: Writing, tokens: Token[], opening: Opening): Promise<StopReason> {
  const words = writeWords(writing, tokens, opening);
  for (let step = await words.next(); ; step = await words.next()) if (step.done) return step.value;
}

async function writeJson(
  writing: Writing,
  tokens: Token[],
  syntax: ToolSyntax,
  grammar: Awaited<ReturnType<typeof grammarFor>>,
): Promise<{ name: string; arguments: string }[] | "length" | "aborted"> {
  let json = "";
  for await (const step of writing.write(tokens, writing.stream([]), grammar)) {
    json += step.text;
    if (step.end === "aborted") return "aborted";
    // Complete is complete: the grammar itself would go on with blank lines.
    const calls = readCalls(json, syntax);
    if (calls) return calls;
    if (step.end) return "length";
  }
  return "length";
}
