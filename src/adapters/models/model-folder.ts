import { createHash } from "node:crypto";
import { createReadStream, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { ModelStore } from "../../ports/model-store.ts";
import type { DerivedFiles, Model, ModelFile } from "./catalog.ts";
import { getModel } from "./catalog.ts";

/** The models in one folder, one folder each. A file counts as there when its size is right: its hash was checked when it
 *  arrived, and `verify` checks it again. */
export function createModelStore(modelsDir: string, catalog: Model[]): ModelStore {
  const seen = new Map<string, { isHere: boolean; untilMs: number }>();

  function isHere(model: Model): boolean {
    const known = seen.get(model.id);
    if (known && performance.now() < known.untilMs) return known.isHere;
    const found = isComplete(modelsDir, model);
    // What is not there yet may be there in a moment; what is there stays.
    seen.set(model.id, { isHere: found, untilMs: performance.now() + (found ? believedMs : 0) });
    return found;
  }

  return {
    folder: (id) => modelFolder(modelsDir, id),
    missing(id) {
      const model = getModel(catalog, id);
      if (isHere(model)) return undefined;
      return `The model "${model.title}" is not on this machine yet. Fetch it with: ./parlance models ${model.isExtra ? "add" : "pull"} ${id}`;
    },
  };
}

/** Engines ask for every request, and a look at the disk takes half a millisecond. */
const believedMs = 1000;

export function modelFolder(modelsDir: string, id: string): string {
  return join(modelsDir, id);
}

export function isComplete(modelsDir: string, model: Model): boolean {
  const folder = modelFolder(modelsDir, model.id);
  // What an archive held is known only from the note that unpacking it left.
  if (model.archives && model.archives.length > 0) return false;
  return (
    model.files.every((file) => hasFile(folder, file)) && model.derived.every((one) => isDerived(folder, model, one))
  );
}

export function hasFile(folder: string, file: ModelFile): boolean {
  try {
    const { size } = statSync(join(folder, file.path));
    return file.bytes === undefined ? size > 0 : size === file.bytes;
  } catch {
    return false;
  }
}

/** Derived files are kept with a note of what they were made from, so that a new input or a new step makes them anew, and of what
 *  they are, so that a change is noticed. */
interface DerivedNote {
  readonly madeFrom: string;
  readonly outputs: Record<string, { bytes: number; sha256: string }>;
}

export function isDerived(folder: string, model: Model, derived: DerivedFiles): boolean {
  const note = readNote(folder, derived);
  if (note?.madeFrom !== fingerprint(model, derived)) return false;
  return derived.outputs.every((output) => {
    const size = statSync(join(folder, output), { throwIfNoEntry: false })?.size;
    return size !== undefined && size === (note.outputs[output]?.bytes ?? size);
  });
}

export async function noteDerived(folder: string, model: Model, derived: DerivedFiles): Promise<void> {
  const outputs: DerivedNote["outputs"] = {};
  for (const output of derived.outputs) {
    const path = join(folder, output);
    outputs[output] = { bytes: statSync(path).size, sha256: await hashFile(path) };
  }
  const path = notePath(folder, derived);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, JSON.stringify({ madeFrom: fingerprint(model, derived), outputs } satisfies DerivedNote));
}

/** The files that are here and not what they should be: damaged, or of another version with as many bytes. */
export async function findDamaged(modelsDir: string, model: Model): Promise<string[]> {
  const folder = modelFolder(modelsDir, model.id);
  const expected = model.files.map(({ path, sha256 }) => [path, sha256] as const);
  const made = model.derived.flatMap((derived) =>
    Object.entries(readNote(folder, derived)?.outputs ?? {}).map(([path, { sha256 }]) => [path, sha256] as const),
  );
  const damaged: string[] = [];
  for (const [path, sha256] of [...expected, ...made]) {
    const file = join(folder, path);
    if (sha256 !== undefined && existsSync(file) && (await hashFile(file)) !== sha256) damaged.push(path);
  }
  return damaged;
}

function readNote(folder: string, derived: DerivedFiles): DerivedNote | undefined {
  const path = notePath(folder, derived);
  if (!existsSync(path)) return undefined;
  const text = readFileSync(path, "utf8");
  const note = JSON.parse(text) as Partial<DerivedNote>;
  // Notes of older versions are the fingerprint alone.
  return note.madeFrom === undefined ? { madeFrom: text, outputs: {} } : (note as DerivedNote);
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
