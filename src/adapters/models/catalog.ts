import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { list, Problem } from "../../platform/errors.ts";
import { packageRoot } from "../../platform/package-root.ts";

const source = z.union([
  /** An npm package that carries the file, as name@version. */
  z.strictObject({ npm: z.string() }),
  z.strictObject({ https: z.url() }),
  /** A folder of this repository. */
  z.strictObject({ repository: z.string() }),
  /** A file, folder or archive of this machine. */
  z.strictObject({ path: z.string() }),
]);

const modelFile = z.strictObject({
  /** Where it goes inside the model's folder. */
  path: z.string(),
  /** Where it is inside its source; the path itself when not given. */
  from: z.string().optional(),
  /** First byte and the byte after the last, for a file that sits inside a larger one. */
  slice: z.tuple([z.int(), z.int()]).optional(),
  source: source.optional(),
  /** Where it is inside the model's mirror; the path itself when not given. */
  mirrored: z.string().optional(),
  /** Where these are not known, the first download pins them: it is noted in the model's folder and checked from then on. */
  bytes: z.int().optional(),
  sha256: z.string().length(64).optional(),
});

const derivedFiles = z.strictObject({
  /** Names the TypeScript step that makes them. */
  step: z.string(),
  /** Raised when the step would make something else from the same inputs. */
  version: z.int(),
  inputs: z.array(z.string()),
  outputs: z.array(z.string()),
  /** What is best depends on the processor: made once for all of them, and again for one where that is better. */
  perProcessor: z.boolean().optional(),
});

const model = z.strictObject({
  id: z.string(),
  title: z.string(),
  capability: z.string(),
  /** Part of what `serve` fetches by itself. */
  isDefault: z.boolean(),
  /** A setting that decides this instead: fetched when it has one of these values. */
  chosenBy: z.strictObject({ setting: z.string(), values: z.array(z.string()) }).optional(),
  /** Fetched only by its name: weights beyond the shipped set. */
  isExtra: z.boolean().optional(),
  /** What it hears or speaks, as lower-case BCP 47, where its files do not tell. */
  languages: z.array(z.string()).optional(),
  /** Whether we ran it ourselves; otherwise its authors' word stands. */
  isRunByUs: z.boolean().optional(),
  /** Archives whose files are the model: fetched, checked, unpacked without their topmost folder. */
  archives: z
    .array(z.strictObject({ https: z.url(), bytes: z.int().optional(), sha256: z.string().length(64).optional() }))
    .optional(),
  licence: z.strictObject({ name: z.string(), isPermissive: z.boolean(), note: z.string().optional() }),
  source,
  /** Where the same files are when the source does not answer. */
  mirror: z.strictObject({ https: z.url() }).optional(),
  files: z.array(modelFile),
  derived: z.array(derivedFiles).default([]),
});

export type Model = z.infer<typeof model>;
export type ModelFile = z.infer<typeof modelFile>;
export type ModelSource = z.infer<typeof source>;
export type DerivedFiles = z.infer<typeof derivedFiles>;

export function readCatalog(path = join(packageRoot(), "models", "models.json")): Model[] {
  return z.strictObject({ models: z.array(model) }).parse(JSON.parse(readFileSync(path, "utf8"))).models;
}

/** What an added model is, kept beside its files: the catalog's entry with the sizes and hashes that it has here. */
export const ADDED_NOTE = ".model.json";

/** The catalog, and what was added by name. What is noted on this machine is truer than an entry without hashes. */
export function readModels(modelsDir: string, catalog = readCatalog()): Model[] {
  const added = new Map<string, Model>();
  for (const folder of existsSync(modelsDir) ? readdirSync(modelsDir) : []) {
    const note = join(modelsDir, folder, ADDED_NOTE);
    if (!existsSync(note)) continue;
    const read = model.safeParse(parseJson(readFileSync(note, "utf8")));
    if (read.success && read.data.id === folder) added.set(folder, read.data);
  }
  const known = catalog.map((one) => added.get(one.id) ?? one);
  return [...known, ...[...added.values()].filter(({ id }) => !catalog.some((one) => one.id === id))];
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export function getModel(catalog: Model[], id: string): Model {
  const found = catalog.find((candidate) => candidate.id === id);
  if (!found)
    throw new Problem("not_found", `There is no model "${id}". Models: ${list(catalog.map((one) => one.id))}.`);
  return found;
}

/** Whether `serve` fetches a model by itself, given how settings with names such as `SVC_HEARING_SIZE` are. */
export function isWanted({ isDefault, chosenBy }: Model, settings: Readonly<Record<string, string>>): boolean {
  const value = chosenBy && settings[chosenBy.setting];
  return value === undefined ? isDefault : chosenBy!.values.includes(value);
}

/** Whether it is known what each byte must be. Else the first download decides, and its source is taken at its word. */
export function isPinned({ files, archives = [] }: Model): boolean {
  return [...files, ...archives].every(({ sha256 }) => sha256 !== undefined);
}

export function downloadBytes(one: Model): number {
  const files = [...one.files, ...(one.archives ?? [])];
  return files.reduce((sum, file) => sum + (file.bytes ?? 0), 0);
}
