import { createHash } from "node:crypto";
import {
  createReadStream,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { processorKind } from "../../platform/processor.ts";
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

/** Files that are best made for one kind of processor lie in a folder of its name, and in this one those that are right on all: a folder
 *  of models may be shared by different machines. */
export const PORTABLE = "portable";

/** Where the files are that were made for this processor, or else those that fit all. A model that was added before there were such
 *  folders has them at the top. */
export function folderForProcessor(folder: string, file: string, kind = processorKind()): string {
  const places = [kind, PORTABLE].map((place) => join(folder, place));
  return places.find((place) => existsSync(join(place, file))) ?? folder;
}

/** Whether there is something that works here. */
export function isDerived(folder: string, model: Model, derived: DerivedFiles): boolean {
  return isMade(derived.perProcessor ? join(folder, PORTABLE) : folder, model, derived);
}

/** Whether what is best here was looked for; often it is what fits all. */
export function isTuned(folder: string, model: Model, derived: DerivedFiles, kind = processorKind()): boolean {
  return !derived.perProcessor || isMade(join(folder, kind), model, derived);
}

function isMade(place: string, model: Model, derived: DerivedFiles): boolean {
  const note = readNote(place, derived);
  if (note?.madeFrom !== fingerprint(model, derived)) return false;
  return Object.entries(note.outputs).every(
    ([output, { bytes }]) => statSync(join(place, output), { throwIfNoEntry: false })?.size === bytes,
  );
}

export async function noteDerived(place: string, model: Model, derived: DerivedFiles): Promise<void> {
  const outputs: DerivedNote["outputs"] = {};
  for (const output of derived.outputs.filter((one) => existsSync(join(place, one)))) {
    const path = join(place, output);
    outputs[output] = { bytes: statSync(path).size, sha256: await hashFile(path) };
  }
  const path = notePath(place, derived);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, JSON.stringify({ madeFrom: fingerprint(model, derived), outputs } satisfies DerivedNote));
}

/** Files of another version of the step, or of before there was a folder for each kind of processor. */
export function removeOutdated(folder: string, model: Model, derived: DerivedFiles): void {
  for (const output of derived.outputs) rmSync(join(folder, output), { force: true });
  for (const entry of readdirSync(folder, { withFileTypes: true }).filter((one) => one.isDirectory())) {
    const place = join(folder, entry.name);
    if (existsSync(notePath(place, derived)) && !isMade(place, model, derived))
      rmSync(place, { recursive: true, force: true });
  }
}

/** The files that are here and not what they should be: damaged, or of another version with as many bytes. */
export async function findDamaged(modelsDir: string, model: Model, kind = processorKind()): Promise<string[]> {
  const folder = modelFolder(modelsDir, model.id);
  const expected = model.files.map(({ path, sha256 }) => [path, sha256] as const);
  const made = model.derived.flatMap((derived) =>
    (derived.perProcessor ? [PORTABLE, kind] : [""]).flatMap((place) =>
      Object.entries(readNote(join(folder, place), derived)?.outputs ?? {}).map(
        ([path, { sha256 }]) => [join(place, path), sha256] as const,
      ),
    ),
  );
  const damaged: string[] = [];
  for (const [path, sha256] of [...expected, ...made]) {
    const file = join(folder, path);
    if (sha256 !== undefined && existsSync(file) && (await hashFile(file)) !== sha256) damaged.push(path);
  }
  return damaged;
}

function readNote(place: string, derived: DerivedFiles): DerivedNote | undefined {
  const path = notePath(place, derived);
  if (!existsSync(path)) return undefined;
  const note = JSON.parse(readFileSync(path, "utf8")) as Partial<DerivedNote>;
  if (note.madeFrom === undefined || note.outputs === undefined) return undefined;
  // Notes of before named the architecture of whoever made them.
  return { madeFrom: note.madeFrom.replace(/"machine":"\w+",/, ""), outputs: note.outputs };
}

function notePath(place: string, derived: DerivedFiles): string {
  return join(place, `.made-by-${derived.step}.json`);
}

function fingerprint(model: Model, derived: DerivedFiles): string {
  const inputs = Object.fromEntries(
    derived.inputs.map((path) => [path, model.files.find((file) => file.path === path)?.sha256 ?? "derived"]),
  );
  return JSON.stringify({ step: derived.step, version: derived.version, inputs });
}

export async function hashFile(path: string): Promise<string> {
  const hash = createHash("sha256");
  for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer);
  return hash.digest("hex");
}
