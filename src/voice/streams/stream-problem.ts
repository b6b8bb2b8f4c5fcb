import { renderProblem } from "../../platform/http/dialect.ts";
import { toProblem } from "../../platform/http/to-problem.ts";
import { voiceDialect } from "../dialect.ts";

/** `{type: error, error: {type, message}}`, with what it is about. */
export function problemMessage(error: unknown, about: object = {}): object {
  const { body } = renderProblem(voiceDialect, toProblem(error));
  return { type: "error", ...about, ...(body as { error: object }) };
}
