import { list, Problem } from "../../platform/errors.ts";
import type { LocalModel } from "../../ports/local-models.ts";
import { localPrefix } from "../fields.ts";
import type { Gateway } from "../pipeline/gateway.ts";

/** The model of this process that a request names; undefined when it names one of an upstream. */
export function findLocal<Type extends LocalModel["type"]>(
  gateway: Gateway,
  id: string,
  type: Type,
): Extract<LocalModel, { type: Type }> | undefined {
  if (!id.startsWith(localPrefix)) return undefined;
  const models = gateway.local.list();
  const found = models.find((model) => model.id === id);
  if (found?.type === type) return found as Extract<LocalModel, { type: Type }>;
  const fitting = models.filter((model) => model.type === type).map((model) => model.id);
  const hint = fitting.length > 0 ? ` Here: ${list(fitting)}.` : "";
  if (found) throw new Problem("invalid_request", `"${id}" is a ${found.type} model and cannot be used here.${hint}`);
  throw new Problem("model_not_found", `There is no model "${id}" in this process.${hint}`);
}
