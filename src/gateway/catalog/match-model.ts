const known = new Map<string, RegExp>();
/** Patterns come from keys, of which there may be many. */
const mostPatterns = 10_000;

/** Whether one of the patterns, in which `*` stands for anything, names the model. */
export function matchesModel(patterns: readonly string[], model: string): boolean {
  return patterns.some((pattern) => toRegExp(pattern).test(model));
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
