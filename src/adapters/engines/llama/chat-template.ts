import { Template } from "@huggingface/jinja";
import { Problem } from "../../../platform/errors.ts";
import type { ChatMessage, ChatTool } from "../../../ports/chat-engine.ts";

/** A stretch of a rendered conversation: the template's own text, or the words of one message. */
export type Stretch = { readonly frame: string } | { readonly message: number };

/** A model's own way of writing a conversation (Jinja, as Hugging Face has it). The words of messages never pass through the
 *  template: it sees a mark for each, so that what people write cannot act as the frame around it. */
export class ChatTemplate {
  readonly #template: Template;
  readonly #ends: { readonly begin: string; readonly end: string };

  /** Throws when the template cannot be read. */
  constructor(source: string, ends: { readonly begin: string; readonly end: string }) {
    this.#template = new Template(source);
    this.#ends = ends;
  }

  render(messages: readonly ChatMessage[], tools: readonly ChatTool[] = []): Stretch[] {
    try {
      return cut(this.#write(messages.map(toRecord), tools));
    } catch (cause) {
      const plain = withoutSystem(messages);
      if (!plain) throw refuse(cause);
      try {
        // Some templates know no instructions: then they stand before the first question.
        return cut(this.#write(plain, tools));
      } catch (again) {
        throw refuse(again);
      }
    }
  }

  #write(messages: readonly MessageRecord[], tools: readonly ChatTool[]): string {
    return this.#template.render({
      messages,
      ...(tools.length > 0 ? { tools: tools.map((tool) => ({ type: "function", function: toolRecord(tool) })) } : {}),
      add_generation_prompt: true,
      bos_token: this.#ends.begin,
      eos_token: this.#ends.end,
      // Callers wait for an answer, and most of them are spoken to.
      enable_thinking: false,
    });
  }
}

interface MessageRecord {
  role: string;
  content: string;
  tool_calls?: object[];
  tool_call_id?: string;
  name?: string;
}

/** Private-use characters, which no template contains. */
const mark = (index: number) => `\uE000${index}\uE001`;

function toRecord(message: ChatMessage, index: number, all: readonly ChatMessage[]): MessageRecord {
  const { role, toolCalls, toolCallId, content } = message;
  const record: MessageRecord = { role, content: content === "" ? "" : mark(index) };
  if (toolCalls && toolCalls.length > 0) {
    record.tool_calls = toolCalls.map((call) => ({
      id: shortId(call.id),
      type: "function",
      function: { name: call.name, arguments: readArguments(call.arguments) },
    }));
  }
  if (role === "tool" && toolCallId !== undefined) {
    record.tool_call_id = shortId(toolCallId);
    const call = all.flatMap((one) => one.toolCalls ?? []).find(({ id }) => id === toolCallId);
    if (call) record.name = call.name;
  }
  return record;
}

/** Mistral's template takes nine letters and digits, no more and no less. */
function shortId(id: string): string {
  return id
    .replace(/[^A-Za-z0-9]/g, "")
    .slice(-9)
    .padStart(9, "0");
}

function readArguments(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}

function toolRecord({ name, description, parameters }: ChatTool): object {
  return { name, description: description ?? "", parameters: parameters ?? { type: "object", properties: {} } };
}

function withoutSystem(messages: readonly ChatMessage[]): MessageRecord[] | undefined {
  const records = messages.map(toRecord);
  const system = records.filter(({ role }) => role === "system");
  const first = records.find(({ role }) => role === "user");
  if (system.length === 0 || !first) return undefined;
  first.content = [...system, first].map(({ content }) => content).join("\n\n");
  return records.filter(({ role }) => role !== "system");
}

function cut(text: string): Stretch[] {
  return text
    .split(/\uE000(\d+)\uE001/u)
    .map((part, index): Stretch => (index % 2 === 1 ? { message: Number(part) } : { frame: part }))
    .filter((stretch) => !("frame" in stretch) || stretch.frame !== "");
}

function refuse(cause: unknown): Problem {
  const reason = cause instanceof Error ? cause.message.split("\n")[0]!.slice(0, 200) : "";
  return new Problem("invalid_request", `The model's chat template does not take this conversation: ${reason}`, {
    cause,
  });
}
