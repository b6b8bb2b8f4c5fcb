import { z } from "zod";
import { list, Problem } from "../../platform/errors.ts";
import type { LocalTool, LocalToolChoice } from "../../ports/local-models.ts";

/** What OpenAI takes as a name, so that grammars and templates need not fear it. */
const name = z.string().regex(/^[a-zA-Z0-9_-]{1,64}$/);
const mostTools = 128;

const toolList = z
  .array(
    z.looseObject({
      type: z.literal("function"),
      function: z.looseObject({
        name,
        description: z.string().max(10_000).nullish(),
        parameters: z.looseObject({}).nullish(),
      }),
    }),
  )
  .max(mostTools);

const choiceField = z.union([
  z.enum(["none", "auto", "required"]),
  z.looseObject({ type: z.literal("function"), function: z.looseObject({ name }) }),
]);

export const toolCallList = z.array(
  z.looseObject({ id: z.string(), function: z.looseObject({ name, arguments: z.string() }) }),
);

/** The tools of a chat for a model of this process, in its own words. */
export function readTools(wanted: { tools?: unknown; tool_choice?: unknown }): {
  tools: readonly LocalTool[];
  toolChoice: LocalToolChoice | undefined;
} {
  if (wanted.tools == null || (Array.isArray(wanted.tools) && wanted.tools.length === 0)) {
    return { tools: [], toolChoice: undefined };
  }
  const tools = parse(toolList, wanted.tools, "tools").map(({ function: tool }) => ({
    name: tool.name,
    description: tool.description ?? undefined,
    parameters: tool.parameters ?? undefined,
  }));
  const choice = wanted.tool_choice == null ? "auto" : parse(choiceField, wanted.tool_choice, "tool_choice");
  if (choice === "none") return { tools: [], toolChoice: undefined };
  if (typeof choice === "string") return { tools, toolChoice: choice };
  const known = tools.map((tool) => tool.name);
  if (!known.includes(choice.function.name)) {
    throw new Problem("invalid_request", `"tool_choice" names "${choice.function.name}". Tools: ${list(known)}.`);
  }
  return { tools, toolChoice: { name: choice.function.name } };
}

export function parse<Value>(schema: z.ZodType<Value>, value: unknown, field: string): Value {
  const read = schema.safeParse(value);
  if (read.success) return read.data;
  const { path, message } = read.error.issues[0]!;
  throw new Problem("invalid_request", `"${[field, ...path].join(".")}": ${message}`);
}
