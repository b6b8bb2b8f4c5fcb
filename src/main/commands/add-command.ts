import type { Command } from "commander";
import { downloadBytes, type Model, readCatalog } from "../../adapters/models/catalog.ts";
import { readSettings } from "../../platform/settings/settings.ts";
import { ACCEPT_UNPINNED, requireConsent } from "./accept-unpinned.ts";
import { drawBar, printJsonLine } from "./draw-progress.ts";

/** How each capability takes a model of one's own. */
const settingOf: Readonly<Record<string, string>> = {
  chat: "SVC_CHAT_ENGINE=gguf:",
  transcription: "SVC_TRANSCRIPTION_ENGINE=sherpa:",
  speech: "SVC_SPEECH_ENGINE=sherpa:",
  cloning: "SVC_CLONING_ENGINE=sherpa:",
  diarisation: "SVC_DIARISATION_ENGINE=sherpa:",
  turns: "SVC_TURN_ENGINE=smart-turn:",
};

interface AddCommandOptions {
  readonly from?: string;
  readonly json?: boolean;
  readonly acceptUnpinned?: boolean;
}

export function addAddCommand(models: Command): void {
  models
    .command("add <name>")
    .description("Add a model of your own, or one of `models list --available`.")
    .option("--from <where>", "a file, folder or archive of this machine, or an https address")
    .option("--json", "print progress as JSON lines")
    .option("--accept-unpinned", ACCEPT_UNPINNED)
    .action(async (name: string, { from, json, acceptUnpinned }: AddCommandOptions) => {
      const { modelsDir } = readSettings(process.env).storage;
      const entry = readCatalog().find(({ id }) => id === name);
      if (entry && !json) announce(entry);
      if (entry && from === undefined) await requireConsent([entry], acceptUnpinned);
      const { addModel } = await import("../../adapters/models/add.ts");
      const { deriveSteps } = await import("../derive-steps.ts");
      const { inspectWeights } = await import("../inspect-weights.ts");
      const onProgress = json ? printJsonLine : drawBar;
      const model = await addModel(name, from, { modelsDir, steps: deriveSteps, inspect: inspectWeights, onProgress });
      if (json) return;
      if (!entry) console.log("  Its sha256 was noted: from now on `models verify` tells whether it is what it was.");
      console.log(`${model.title} is here as ${model.id}. ${useOf(model)}`);
    });
}

function announce(entry: Model): void {
  const megabytes = Math.round(downloadBytes(entry) / 1e6);
  console.log(`${entry.title}, ${megabytes > 0 ? `${megabytes} MB` : "size unknown"}, licence ${entry.licence.name}`);
  if (entry.licence.note) console.log(`  ${entry.licence.note}`);
  if (entry.isRunByUs === false) console.log("  Not run by us: what it is worth is its makers' word.");
}

function useOf({ capability, id, files }: Model): string {
  const scheme = files.some(({ path }) => path.endsWith(".gguf")) ? "gguf" : "onnx";
  if (capability === "embeddings") return `Use it with SVC_EMBEDDINGS_ENGINE=${scheme}:${id}`;
  if (capability === "reranking") return `Use it with SVC_RERANKING_ENGINE=${scheme}:${id}`;
  const setting = settingOf[capability];
  return setting ? `Use it with ${setting}${id}` : "";
}
