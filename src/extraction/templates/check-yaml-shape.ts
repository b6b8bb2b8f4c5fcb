import { Problem } from "../../platform/errors.ts";
import { deepestNesting } from "../../platform/http/json-shape.ts";

/** Throws when a text would be nested too deeply as YAML, in one look at its characters: the parser needs a second and hundreds of
 *  megabytes for 20,000 levels before it gives up. What looks like nesting inside of a quoted text counts as well. */
export function checkYamlShape(text: string): void {
  let openBrackets = 0;
  for (const line of text.split("\n")) {
    // Every level of a block begins at least one column further to the right than the one around it.
    const indentation = line.length - line.trimStart().length;
    const blockIndicators = line.match(/(?<!\S)[?:-](?!\S)/g)?.length ?? 0;
    for (const bracket of line.match(/[[\]{}]/g) ?? []) {
      openBrackets = Math.max(0, openBrackets + (bracket === "[" || bracket === "{" ? 1 : -1));
      if (openBrackets > deepestNesting) refuse();
    }
    if (indentation > 2 * deepestNesting || blockIndicators > deepestNesting) refuse();
  }
}

function refuse(): never {
  throw new Problem("invalid_request", `The template is nested more than ${deepestNesting} levels deep.`);
}
