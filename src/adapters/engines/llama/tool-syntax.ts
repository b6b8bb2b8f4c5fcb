import type { ChatTool } from "../../../ports/chat-engine.ts";

/** How a family of models writes a call. */
export interface ToolSyntax {
  /** What a call begins with; empty where it is the JSON itself. */
  readonly open: string;
  /** What stands behind a call before another may follow; undefined where an answer has one stretch of JSON. */
  readonly close: string | undefined;
  readonly argumentsKey: "arguments" | "parameters";
  /** All calls of an answer are one list. */
  readonly isList: boolean;
}

/** Told by what a model's own template writes for an assistant that called something. */
const syntaxes: readonly (ToolSyntax & { readonly sign: RegExp })[] = [
  // Qwen 2.5 and 3, Hermes, SmolLM3 and most fine-tunes.
  { sign: /<tool_call>/, open: "<tool_call>\n", close: "\n</tool_call>", argumentsKey: "arguments", isList: false },
  // Mistral and Ministral.
  { sign: /\[TOOL_CALLS\]/, open: "[TOOL_CALLS]", close: undefined, argumentsKey: "arguments", isList: true },
  // Llama 3.1 to 3.3.
  { sign: /["']parameters["']:?/, open: "", close: undefined, argumentsKey: "parameters", isList: false },
];

/** Undefined for a template that knows no tools, or writes them in a way that is not known here. */
export function toolSyntaxOf(template: string): ToolSyntax | undefined {
  if (!/\btools\b/.test(template)) return undefined;
  return syntaxes.find(({ sign }) => sign.test(template));
}

/** The schema that holds a model to calls of these tools. */
export function callSchema(tools: readonly ChatTool[], { argumentsKey, isList }: ToolSyntax): object {
  const calls = tools.map(({ name, parameters }) => ({
    type: "object",
    properties: { name: { const: name }, [argumentsKey]: parameters ?? { type: "object", properties: {} } },
  }));
  const one = calls.length === 1 ? calls[0]! : { oneOf: calls };
  return isList ? { type: "array", items: one, minItems: 1, maxItems: MOST_CALLS } : one;
}

/** Of one answer; a guess against a model that calls without end. */
export const MOST_CALLS = 8;

/** The calls in a complete text of JSON; undefined while it is not complete. */
export function readCalls(
  json: string,
  { argumentsKey }: ToolSyntax,
): { name: string; arguments: string }[] | undefined {
  const text = json.trim();
  if (!text.endsWith("}") && !text.endsWith("]")) return undefined;
  try {
    const parsed = JSON.parse(text) as object | object[];
    return (Array.isArray(parsed) ? parsed : [parsed]).map((call: Record<string, unknown>) => ({
      name: String(call.name),
      arguments: JSON.stringify(call[argumentsKey] ?? {}),
    }));
  } catch {
    return undefined;
  }
}
