import { statSync } from "node:fs";
import { homedir } from "node:os";
import { basename, resolve } from "node:path";
import { list } from "../../../platform/errors.ts";
import { SettingError } from "../../../platform/settings/settings.ts";
import { type Model, readModels } from "../../models/catalog.ts";
import { isComplete, modelFolder } from "../../models/model-folder.ts";
import type { OwnAddress } from "./parse-address.ts";

export interface OwnWeights {
  /** A file, or a folder of files. */
  readonly path: string;
  readonly isFolder: boolean;
  /** What replies and lists call it. */
  readonly name: string;
  /** Its entry, where it has a name in the catalog or was added. */
  readonly model: Model | undefined;
}

/** Where the weights of a setting are. What cannot be found stops the start with one sentence. */
export function findWeights(setting: string, address: OwnAddress, modelsDir: string): OwnWeights {
  const refuse = (reason: string) => new SettingError(`${setting} is "${address.scheme}:${address.where}", ${reason}`);
  if (address.isPath) {
    const path = resolve(address.where.replace(/^~(?=\/)/, homedir()));
    const found = statSync(path, { throwIfNoEntry: false });
    if (!found) throw refuse(`but there is no file or folder at ${path}.`);
    const name = basename(path).replace(/\.(gguf|onnx)$/i, "");
    return { path, isFolder: found.isDirectory(), name: plainName(name), model: undefined };
  }
  const models = readModels(modelsDir);
  const model = models.find(({ id }) => id === address.where);
  if (!model) {
    const near = models.filter(({ id }) => id.includes(address.where.slice(0, 4))).map(({ id }) => id);
    const hint = near.length > 0 ? ` Did you mean ${list(near.slice(0, 4))}?` : "";
    throw refuse(`but there is no model of that name; ./parlance models list --available names them.${hint}`);
  }
  if (!isComplete(modelsDir, model)) {
    throw refuse(`but that model is not on this machine. Fetch it with: ./parlance models add ${model.id}`);
  }
  return { path: modelFolder(modelsDir, model.id), isFolder: true, name: model.id, model };
}

/** Names appear in addresses and in `model` fields. */
function plainName(name: string): string {
  return name.replace(/[^A-Za-z0-9._-]+/g, "-").toLowerCase() || "model";
}
