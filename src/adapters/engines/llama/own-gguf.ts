import { existsSync, readFileSync } from "node:fs";
import { totalmem } from "node:os";
import { resolve } from "node:path";
import { Template } from "@huggingface/jinja";
import { SettingError } from "../../../platform/settings/settings.ts";
import { findWeights } from "../own-weights/find-weights.ts";
import type { OwnAddress } from "../own-weights/parse-address.ts";
import { checkGguf, type GgufFacts, type GgufPurpose, UnusableGguf } from "./check-gguf.ts";
import type { GpuChoice } from "./load-options.ts";
import { type MemoryPlan, planMemory } from "./plan-memory.ts";

export interface GgufSettings {
  readonly modelsDir: string;
  /** 0 chooses. */
  readonly contextTokens: number;
  readonly gpu: GpuChoice;
}

/** A GGUF that was found, read and found good. */
export interface OwnGguf {
  readonly name: string;
  readonly facts: GgufFacts;
  readonly template: string;
  readonly plan: MemoryPlan;
  readonly gpu: GpuChoice;
}

/** Looks at the file before anything is started; what cannot work stops the start with one sentence. */
export function openGguf(setting: string, address: OwnAddress, purpose: GgufPurpose, settings: GgufSettings): OwnGguf {
  const { path, name } = findWeights(setting, address, settings.modelsDir);
  try {
    const facts = checkGguf(path, purpose);
    const template = purpose === "chat" ? templateOf(facts, address) : "";
    const plan = planMemory(facts, settings.contextTokens, totalmem());
    return { name, facts, template, plan, gpu: settings.gpu };
  } catch (error) {
    if (!(error instanceof UnusableGguf)) throw error;
    throw new SettingError(`${setting} is "${address.scheme}:${address.where}", but ${error.message}`);
  }
}

function templateOf({ file, template }: GgufFacts, { options }: OwnAddress): string {
  const source = options.template === undefined ? template : readTemplate(options.template);
  if (source === undefined) {
    throw new UnusableGguf(`${file} has no chat template. Name one: gguf:PATH?template=FILE.jinja`);
  }
  try {
    new Template(source);
  } catch (error) {
    throw new UnusableGguf(`the chat template cannot be read: ${(error as Error).message.split("\n")[0]}`);
  }
  return source;
}

function readTemplate(path: string): string {
  if (!existsSync(path)) throw new UnusableGguf(`there is no chat template at ${resolve(path)}.`);
  return readFileSync(path, "utf8");
}
