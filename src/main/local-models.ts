import type { LocalModel, LocalModels } from "../ports/local-models.ts";
import type { Engines } from "./engines.ts";
import { speechModel } from "./local-speech-model.ts";

/** The engines of this process as the gateway offers them. */
export function createLocalModels(engines: Engines): LocalModels {
  const models: LocalModel[] = [speechModel(engines.speech)];
  return { list: () => models };
}
