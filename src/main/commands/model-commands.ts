import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Command } from "commander";
import {
  downloadBytes,
  getModel,
  isPinned,
  isWanted,
  type Model,
  readCatalog,
  readModels,
} from "../../adapters/models/catalog.ts";
import { findDamaged, isComplete, isTuned, modelFolder } from "../../adapters/models/model-folder.ts";
import { readSettings, type Settings } from "../../platform/settings/settings.ts";
import { ACCEPT_UNPINNED, requireConsent } from "./accept-unpinned.ts";
import { addAddCommand } from "./add-command.ts";
import { drawBar, printJsonLine } from "./draw-progress.ts";
import { printRows } from "./print.ts";

interface PullCommandOptions {
  acceptUnpinned?: boolean;
  all?: boolean;
  json?: boolean;
}

export function addModelCommands(program: Command): void {
  const models = program.command("models").description("The models that the local engines run on.");
  models
    .command("list")
    .description("List models, their licences and whether they are here.")
    .option("--available", "also those that can be added")
    .option("--json", "print JSON")
    .action(({ json, available }: { json?: boolean; available?: boolean }) => {
      const { modelsDir } = readSettings(process.env).storage;
      const rows = readModels(modelsDir)
        .filter((model) => available || !model.isExtra || isComplete(modelsDir, model))
        .map((model) => describeModel(model, modelsDir));
      if (json) console.log(JSON.stringify(rows));
      else printRows(rows);
    });
  models
    .command("pull [ids...]")
    .description("Fetch models: those named, else the default set. Goes on where an earlier pull stopped.")
    .option("--all", "every model of the catalog")
    .option("--accept-unpinned", ACCEPT_UNPINNED)
    .option("--json", "print progress as JSON lines")
    .action((ids: string[], options: PullCommandOptions) => pull(ids, options, readSettings(process.env)));
  addAddCommand(models);
  models
    .command("verify [ids...]")
    .description("Check every byte of the models that are here.")
    .option("--json", "print JSON")
    .action(async (ids: string[], { json }: { json?: boolean }) => {
      const { modelsDir } = readSettings(process.env).storage;
      const rows = [];
      const known = readModels(modelsDir).filter((model) => !model.isExtra || isComplete(modelsDir, model));
      for (const model of choose(known, ids, true)) rows.push(await verify(model, modelsDir));
      if (json) console.log(JSON.stringify(rows));
      else printRows(rows);
      if (rows.some(({ state }) => state === "damaged")) process.exitCode = 1;
    });
  models
    .command("remove <ids...>")
    .description("Delete models from this machine.")
    .option("--json", "print JSON")
    .action((ids: string[], { json }: { json?: boolean }) => {
      const { modelsDir } = readSettings(process.env).storage;
      for (const model of choose(readModels(modelsDir), ids, true))
        rmSync(modelFolder(modelsDir, model.id), { recursive: true, force: true });
      if (json) console.log(JSON.stringify({ removed: ids }));
      else console.log(`Removed: ${ids.join(", ")}`);
    });
}

async function pull(ids: string[], options: PullCommandOptions, settings: Settings): Promise<void> {
  const { storage } = settings;
  const { pullModel } = await import("../../adapters/models/pull.ts");
  mkdirSync(storage.modelsDir, { recursive: true });
  const isAllowed = (model: Model) => storage.modelLicenses === "all" || model.licence.isPermissive;
  const known = readModels(storage.modelsDir).filter((model) => !model.isExtra || ids.includes(model.id));
  const chosen = choose(known, ids, options.all === true, settings)
    .filter((model) => isAllowed(model) || ids.includes(model.id))
    // Quick ones first: making derived files takes minutes, and meanwhile most engines can already work.
    .sort((a, b) => a.derived.length - b.derived.length || downloadBytes(a) - downloadBytes(b));
  await requireConsent(
    chosen.filter((model) => !isComplete(storage.modelsDir, model)),
    options.acceptUnpinned,
  );
  for (const model of chosen) {
    // The server, which asks for JSON at every start, does not wait for two gigabytes to be read.
    if (!options.json) await removeDamaged(model, storage.modelsDir);
    // Nor for graphs that are quicker on this processor, when there are some that work.
    if (isComplete(storage.modelsDir, model) && (options.json || isTunedHere(storage.modelsDir, model))) {
      if (!options.json && ids.length > 0) console.log(`${model.id} is already here.`);
      continue;
    }
    if (!options.json) {
      console.log(`${model.title}, ${megabytes(downloadBytes(model))} MB, licence ${model.licence.name}`);
      if (model.licence.note) console.log(`  ${model.licence.note}`);
    }
    const onProgress = options.json ? printJsonLine : drawBar;
    const { deriveSteps } = await import("../derive-steps.ts");
    await pullModel(model, { modelsDir: storage.modelsDir, steps: deriveSteps, onProgress });
  }
}

function isTunedHere(modelsDir: string, model: Model): boolean {
  const folder = modelFolder(modelsDir, model.id);
  return model.derived.every((derived) => isTuned(folder, model, derived));
}

function choose(catalog: Model[], ids: string[], all: boolean, settings?: Settings): Model[] {
  if (ids.length > 0) return ids.map((id) => getModel(catalog, id));
  return all || !settings ? catalog : catalog.filter((model) => isDefaultHere(model, settings));
}

/** The recogniser for many languages comes in two sizes, or not at all. */
function isDefaultHere(model: Model, { engines }: Settings): boolean {
  return isWanted(model, { SVC_HEARING_SIZE: engines.hearingSize });
}

async function verify(model: Model, modelsDir: string): Promise<{ id: string; state: string; detail: string }> {
  if (!isComplete(modelsDir, model))
    return { id: model.id, state: "missing", detail: `./parlance models pull ${model.id}` };
  const damaged = await findDamaged(modelsDir, model);
  return damaged.length === 0
    ? { id: model.id, state: "whole", detail: "" }
    : {
        id: model.id,
        state: "damaged",
        detail: `${damaged.join(", ")}; ./parlance models pull ${model.id} replaces it`,
      };
}

/** All of them go before any is fetched: files of two versions do not work together. */
async function removeDamaged(model: Model, modelsDir: string): Promise<void> {
  for (const path of await findDamaged(modelsDir, model)) {
    console.log(`${model.id}: ${path} is not what it should be; it is replaced.`);
    rmSync(join(modelFolder(modelsDir, model.id), path));
  }
}

/** For `doctor`: models of which a file is not what it was. */
export async function damagedModels(settings: Settings): Promise<string[]> {
  const damaged: string[] = [];
  const { modelsDir } = settings.storage;
  for (const model of readModels(modelsDir).filter((one) => isComplete(modelsDir, one))) {
    if ((await findDamaged(modelsDir, model)).length > 0) damaged.push(model.id);
  }
  return damaged;
}

function describeModel(model: Model, modelsDir: string) {
  return {
    id: model.id,
    capability: model.capability,
    megabytes: megabytes(downloadBytes(model)),
    default: model.isDefault,
    here: isComplete(modelsDir, model),
    licence: model.licence.name,
    note: noteOf(model, modelsDir),
  };
}

function noteOf(model: Model, modelsDir: string): string {
  const { id, licence, isExtra, isRunByUs } = model;
  const isSlow = isComplete(modelsDir, model) && !isTunedHere(modelsDir, model);
  return [
    licence.note,
    isExtra && isRunByUs === false ? "Not run by us." : "",
    isPinned(model) ? "" : "Unpinned.",
    isSlow ? `Not tuned for this processor: ./parlance models pull ${id}` : "",
  ]
    .filter(Boolean)
    .join(" ");
}

function megabytes(bytes: number): number {
  return Math.round(bytes / 1e6);
}

/** For `doctor`: what is missing, as commands. */
export function missingModels(settings: Settings): string[] {
  return readCatalog()
    .filter(
      (model) =>
        isDefaultHere(model, settings) && (settings.storage.modelLicenses === "all" || model.licence.isPermissive),
    )
    .filter((model) => !isComplete(settings.storage.modelsDir, model))
    .map((model) => model.id);
}
