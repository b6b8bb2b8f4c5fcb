import { Problem } from "../../platform/errors.ts";
import { matchesModel } from "../models/match-model.ts";

/** Refuses a model that the key is not meant for. */
export function checkModel(patterns: readonly string[] | null | undefined, model: string): void {
  if (patterns == null || matchesModel(patterns, model)) return;
  throw new Problem("model_not_allowed", `This key may not use "${model}". Its models: ${patterns.join(", ")}.`);
}
