import { readdirSync } from "node:fs";
import { basename, join, relative } from "node:path";
import { list } from "../../../platform/errors.ts";
import { type Kind, kinds } from "./kinds.ts";
import { readOnnxMetadata } from "./onnx-metadata.ts";

/** A folder whose kind is known. */
export interface Recognised {
  readonly kind: Kind;
  readonly folder: string;
  /** The file of each role, as a path. */
  readonly files: Readonly<Record<string, string>>;
  /** What its main graph says of itself. */
  readonly metadata: ReadonlyMap<string, string>;
}

/** Why a folder cannot be used: what was found, and what was expected. */
export class UnknownFolder extends Error {}

const mostFiles = 5000;

/** Tells by its files, and where several kinds have the same, by what their graph says of itself. */
export function recogniseFolder(folder: string, wanted?: readonly Kind["use"][]): Recognised {
  const paths = listPaths(folder);
  const named = kinds.filter(({ use }) => !wanted || wanted.includes(use));
  let damaged: string | undefined;
  for (const kind of named) {
    const files = findFiles(kind, paths);
    if (!files) continue;
    const main = files.encoder ?? files.model ?? files.acousticModel ?? Object.values(files)[0]!;
    const metadata = main.endsWith(".onnx") ? readOnnxMetadata(join(folder, main)) : new Map<string, string>();
    if (!metadata) {
      damaged ??= main;
      continue;
    }
    if (kind.sign && !kind.sign.test(signOf(metadata, folder))) continue;
    const whole = Object.entries(files).map(([role, path]) => [role, join(folder, path)] as const);
    const cut = whole.map(([, path]) => path).find((path) => path.endsWith(".onnx") && !readOnnxMetadata(path));
    if (cut) throw new UnknownFolder(`${cut} is cut short or is not ONNX. Fetch it again.`);
    return { kind, folder, files: Object.fromEntries(whole), metadata };
  }
  if (damaged) throw new UnknownFolder(`${join(folder, damaged)} is cut short or is not ONNX. Fetch it again.`);
  throw new UnknownFolder(describe(folder, paths, named));
}

/** The metadata's own words; those who made a graph without any named its folder. */
function signOf(metadata: ReadonlyMap<string, string>, folder: string): string {
  const words = ["model_type", "comment", "model_author", "maintainer"].map((key) => metadata.get(key) ?? "").join(" ");
  return metadata.get("model_type") ? words : `${words} ${basename(folder)}`;
}

function listPaths(folder: string): string[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  if (entries.length > mostFiles)
    throw new UnknownFolder(`${folder} holds ${entries.length} files, which no model has.`);
  return entries
    .filter((entry) => entry.isFile() || entry.isSymbolicLink())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .sort();
}

/** Of several that fit a role, the one of 8 bits: it is what a machine without a graphics card wants. */
function findFiles(kind: Kind, paths: readonly string[]): Record<string, string> | undefined {
  const found: Record<string, string> = {};
  for (const [role, pattern] of Object.entries(kind.files)) {
    const fitting = paths.filter((path) => pattern.test(path) && !path.split("/").some((part) => part.startsWith(".")));
    const path = fitting.find((one) => /int8|quantized/.test(one)) ?? fitting[0];
    if (path === undefined) return undefined;
    found[role] = path;
  }
  return found;
}

function describe(folder: string, paths: readonly string[], named: readonly Kind[]): string {
  const shown = paths.filter((path) => !path.includes("espeak-ng-data/"));
  const found =
    shown.length === 0
      ? "nothing"
      : `${list(shown.slice(0, 8))}${shown.length > 8 ? ` and ${shown.length - 8} more` : ""}`;
  const expected = [...new Set(named.map(({ name }) => name.replace(/ \(.*/, "")))];
  return (
    `the files in ${folder} are of no kind that is known here. Found: ${found}. ` +
    (named.every(({ expects }) => expects)
      ? `Expected ${list(named.map(({ expects }) => expects!))}.`
      : `Expected tokens.txt with encoder, decoder and joiner graphs, or with one model graph, of: ${list(expected)}.`)
  );
}
