import { createHash } from "node:crypto";
import { createReadStream, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { ModelStore } from "../../ports/model-store.ts";
import type { DerivedFiles, Model, ModelFile } from "./catalog.ts";
import { getModel } from "./catalog.ts";

/** The models in one folder, one folder each. A file counts as there when its size is right: its hash was checked when it
 *  arrived, and `verify` checks it again. */
export function createModelStore(modelsDir: string, catalog: Model[]): ModelStore {
  return {
    folder: (id) => modelFolder(modelsDir, id),
    missing(id) {
      const model = getModel(catalog, id);
      if (isComplete(modelsDir, model)) return undefined;
      return `The model "${model.title}" is not on this machine yet. Fetch it with: parlance models pull ${id}`;
    },
  };
}

export function modelFolder(modelsDir: string, id: string): string {
  return join(modelsDir, id);
}

export function isComplete(modelsDir: string, model: Model): boolean {
  const folder = modelFolder(modelsDir, model.id);
  return (
    model.files.every((file) => hasFile(folder, file)) && model.derived.every((one) => isDerived(folder, model, one))
  );
}

export function hasFile(folder: string, file: ModelFile): boolean {
  try {
    return statSync(join(folder, file.path)).size === file.bytes;
  } catch {
    return false;
  }
}

/** Derived files are kept with a note of what they were made from, so that a new input or a new step makes them anew. */
export function isDerived(folder: string, model: Model, derived: DerivedFiles): boolean {
  const note = notePath(folder, derived);
  return (
    derived.outputs.every((output) => existsSync(join(folder, output))) &&
    existsSync(note) &&
    readFileSync(note, "utf8") === fingerprint(model, derived)
  );
}

export function noteDerived(folder: string, model: Model, derived: DerivedFiles): void {
  const note = notePath(folder, derived);
  mkdirSync(dirname(note), { recursive: true });
  writeFileSync(note, fingerprint(model, derived));
}

function notePath(folder: string, derived: DerivedFiles): string {
  return join(folder, `.made-by-${derived.step}.json`);
}

function fingerprint(model: Model, derived: DerivedFiles): string {
  const inputs = Object.fromEntries(
    derived.inputs.map((path) => [path, model.files.find((file) => file.path === path)?.sha256 ?? "derived"]),
  );
  // What is fastest here need not be on the next machine that shares the folder.
  return JSON.stringify({ step: derived.step, version: derived.version, machine: process.arch, inputs });
}

export async function hashFile(path: string): Promise<string> {
  const hash = createHash("sha256");
  for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer);
  return hash.digest("hex");
}
