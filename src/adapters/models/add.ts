import {
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
} from "node:fs";
import { homedir } from "node:os";
import { basename, dirname, join, resolve } from "node:path";
import { list, Problem } from "../../platform/errors.ts";
import { type Model, readCatalog, readModels } from "./catalog.ts";
import { checkRoom } from "./disk-room.ts";
import { fetchHttps } from "./fetch-https.ts";
import { isComplete, modelFolder } from "./model-folder.ts";
import { deriveFiles, type PullOptions, pinFiles, pullModel, retrying } from "./pull.ts";
import { kindOf, unpackArchive } from "./unpack.ts";

/** What a folder of weights turned out to be. */
export interface Inspected {
  readonly capability: string;
  readonly title: string;
  readonly derived: Model["derived"];
  /** Where its files tell. */
  readonly languages?: string[];
}

export interface AddOptions extends PullOptions {
  /** Says what the files of a folder are; throws a Problem that says what was found and what was expected. */
  inspect(folder: string): Inspected;
  catalog?: Model[];
}

const nameRule = /^[a-z0-9][a-z0-9._-]{0,63}$/;

/** Brings a model by its name in the catalog, or under a name of one's own from a path or an https address. What fails leaves
 *  nothing behind; a download that was killed goes on at the next try. */
export async function addModel(name: string, from: string | undefined, options: AddOptions): Promise<Model> {
  const catalog = options.catalog ?? readCatalog();
  const entry = catalog.find(({ id }) => id === name);
  if (
    readModels(options.modelsDir, catalog).some((model) => model.id === name && isComplete(options.modelsDir, model))
  ) {
    throw new Problem("conflict", `${name} is already here. Remove it first: ./parlance models remove ${name}`);
  }
  if (from === undefined) {
    if (!entry) {
      const near = catalog.filter(({ id }) => id.startsWith(name.slice(0, 4))).map(({ id }) => id);
      const hint = near.length > 0 ? ` Near it: ${list(near)}.` : "";
      throw new Problem("not_found", `There is no model "${name}" in the catalog; name a source with --from.${hint}`);
    }
    return addListed(entry, options);
  }
  if (!nameRule.test(name)) {
    throw new Problem(
      "invalid_request",
      `A name has up to 64 of a-z, 0-9, dot, dash and underscore, not "${name.slice(0, 80)}".`,
    );
  }
  mkdirSync(options.modelsDir, { recursive: true });
  const scratch = mkdtempSync(join(options.modelsDir, ".adding-"));
  try {
    const found = await bring(from, scratch, options);
    return entry && entry.files.length > 0
      ? await addListed(placeFiles(entry, found), options)
      : await addFound(name, found, options);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

async function addListed(model: Model, options: AddOptions): Promise<Model> {
  const folder = modelFolder(options.modelsDir, model.id);
  try {
    await pullModel(model, options);
    const here = readModels(options.modelsDir, [model]).find(({ id }) => id === model.id) ?? model;
    if (model.isExtra) options.inspect(folder);
    return here;
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
}

/** A folder with what was named, in the scratch folder unless it is a folder of the person's own. */
async function bring(from: string, scratch: string, options: AddOptions): Promise<string> {
  if (/^[a-z]+:\/\//i.test(from)) {
    if (!/^https:\/\//i.test(from) || !URL.canParse(from)) {
      throw new Problem("invalid_request", `--from takes a path or an https address, not "${from.slice(0, 200)}".`);
    }
    const file = join(scratch, basename(new URL(from).pathname) || "model");
    const onBytes = counter(options, 0);
    await fetchHttps(from, file, { ...retrying(options), onBytes });
    return open(file, scratch);
  }
  const path = resolve(from.replace(/^~(?=\/)/, homedir()));
  const stats = statSync(path, { throwIfNoEntry: false });
  if (!stats) throw new Problem("not_found", `There is nothing at ${path}.`);
  return stats.isDirectory() ? path : open(path, scratch);
}

function counter({ onProgress }: AddOptions, total: number): (bytes: number) => void {
  let done = 0;
  return (bytes) => {
    done += bytes;
    onProgress({ model: "", stage: "download", fraction: total === 0 ? 0 : done / total, bytes: done });
  };
}

/** An archive is unpacked; a single file, with its companion where it has one, is a folder of one. */
async function open(file: string, scratch: string): Promise<string> {
  const folder = mkdtempSync(join(scratch, "files-"));
  if (kindOf(file)) return unpackArchive(file, folder);
  copyFileSync(file, join(folder, basename(file)));
  const companion = `${file}.json`;
  if (existsSync(companion)) copyFileSync(companion, join(folder, basename(companion)));
  return folder;
}

/** The files of a catalog entry where they lie in a folder: at their own path, or anywhere under their name. */
function placeFiles(model: Model, folder: string): Model {
  const all = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  const files = model.files.map(({ source: _source, slice: _slice, ...file }) => {
    const at = [file.from ?? file.path, file.path].map((path) => join(folder, path)).find((path) => all.includes(path));
    const found = at ?? all.find((path) => basename(path) === basename(file.path));
    if (!found) throw new Problem("not_found", `${file.path} of ${model.id} is not in what --from names.`);
    return { ...file, from: found };
  });
  return { ...model, source: { path: "/" }, files };
}

async function addFound(name: string, from: string, options: AddOptions): Promise<Model> {
  const { capability, title, derived, languages } = options.inspect(from);
  checkRoom(options.modelsDir, sizeOf(from));
  const building = mkdtempSync(join(options.modelsDir, ".adding-"));
  try {
    cpSync(from, building, {
      recursive: true,
      dereference: true,
      filter: (path) => !basename(path).startsWith(".") || path === from,
    });
    const model: Model = {
      id: name,
      title,
      capability,
      isDefault: false,
      isExtra: true,
      ...(languages ? { languages } : {}),
      licence: { name: "unknown", isPermissive: false, note: "Added by you; read its licence." },
      source: { path: dirname(from) },
      files: [],
      derived: [...derived],
    };
    const pinned = await pinFiles(model, building);
    await deriveFiles(pinned, building, options);
    options.inspect(building);
    const target = modelFolder(options.modelsDir, name);
    rmSync(target, { recursive: true, force: true });
    // The folder was made for this process alone; models are for whoever serves them.
    chmodSync(building, 0o755);
    renameSync(building, target);
    options.onProgress({ model: name, stage: "done", fraction: 1 });
    return pinned;
  } finally {
    rmSync(building, { recursive: true, force: true });
  }
}

function sizeOf(folder: string): number {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0);
}
