import { statSync } from "node:fs";
import { dirname } from "node:path";
import { SettingError } from "../../../platform/settings/settings.ts";
import { findWeights } from "../own-weights/find-weights.ts";
import { languagesOf, type OwnAddress } from "../own-weights/parse-address.ts";
import type { Use } from "./kinds.ts";
import { languagesOfFolder } from "./languages.ts";
import { type Recognised, recogniseFolder, UnknownFolder } from "./recognise-folder.ts";

/** A folder that was found, recognised and can be used. */
export interface OwnFolder extends Recognised {
  readonly name: string;
  /** The id in the catalog of models, where it has one. */
  readonly id: string | undefined;
  /** As the model calls them. */
  readonly languages: readonly string[];
  readonly bytes: number;
}

/** What works in every language. */
const withoutLanguages: readonly Use[] = ["turns", "diarisation"];

/** What cannot be recognised, or does not say which languages it knows, stops the start with one sentence. */
export function openFolder(setting: string, address: OwnAddress, uses: readonly Use[], modelsDir: string): OwnFolder {
  const { path, isFolder, name, model } = findWeights(setting, address, modelsDir);
  const refuse = (reason: string) =>
    new SettingError(`${setting} is "${address.scheme}:${address.where}", but ${reason}`);
  try {
    const folder = isFolder ? path : dirname(path);
    const recognised = recogniseFolder(folder, uses);
    const { kind, files } = recognised;
    if (kind.derived && !isPrepared(recognised, model !== undefined)) {
      throw new UnknownFolder(
        `${folder} (${kind.name}) must be prepared first: ./parlance models add NAME --from ${folder}`,
      );
    }
    const named = languagesOf(address);
    const languages = named.length > 0 ? named : (model?.languages ?? languagesOfFolder(recognised) ?? []);
    if (languages.length === 0 && !withoutLanguages.includes(kind.use)) {
      throw new UnknownFolder(`${folder} (${kind.name}) does not say which languages it knows. Add ?languages=de,fr`);
    }
    const bytes = Object.values(files).reduce((sum, file) => sum + statSync(file).size, 0);
    return { ...recognised, name, id: model?.id, languages, bytes };
  } catch (error) {
    if (error instanceof UnknownFolder) throw refuse(error.message);
    throw error;
  }
}

/** Whisper's graphs are made when it is added; other steps leave a folder of another kind behind. */
function isPrepared({ kind }: Recognised, isAdded: boolean): boolean {
  return kind.runner === "whisper" && isAdded;
}
