import { Problem } from "../../platform/errors.ts";

const known = new Map<string, RegExp>();
/** Patterns come from keys, of which there may be many. */
const mostPatterns = 10_000;

/** Refuses a model that the key is not meant for. */
export function checkModel(patterns: readonly string[] | null | undefined, model: string): void {
  if (patterns == null || patterns.some((pattern) => toRegExp(pattern).test(model))) return;
  throw new Problem("model_not_allowed", `This key may not use "${model}". Its models: ${patterns.join(", ")}.`);
}

function toRegExp(pattern: string): RegExp {
  let expression = known.get(pattern);
  if (!expression) {
    if (known.size >= mostPatterns) known.clear();
    const parts = pattern.split(/\*+/).map((part) => part.replace(/[^\w/]/g, "\\$&"));
    expression = new RegExp(`^${parts.join(".*")}$`);
    known.set(pattern, expression);
  }
  return expression;
}
