import { SettingError } from "../../platform/settings/settings.ts";

/** A model that may stand for an alias, and how often it comes first. */
interface Choice {
  readonly model: string;
  /** Undefined where the setting names none. */
  readonly weight: number | undefined;
}

/** The operator's own names for models. */
export interface Aliases {
  /** The models that stand for a name, in the order in which they are asked; undefined for a name that is no alias. */
  resolve(name: string): readonly string[] | undefined;
  readonly names: readonly string[];
}

/** Reads `fast=a/x*3|b/y; smart=c/z`: the first is chosen by weight where there are any, the others follow in their order. */
export function readAliases(setting: string | undefined, random: () => number = Math.random): Aliases {
  const aliases = new Map<string, readonly Choice[]>();
  for (const entry of (setting ?? "").split(";")) {
    if (entry.trim() === "") continue;
    const [name = "", list = ""] = entry.split("=").map((part) => part.trim());
    const choices = list.split("|").map((part) => readChoice(part.trim(), entry.trim()));
    if (name === "" || name.startsWith("local/")) throw wrong(entry.trim());
    aliases.set(name, choices);
  }
  return {
    names: [...aliases.keys()],
    resolve(name) {
      const choices = aliases.get(name);
      if (!choices) return undefined;
      const first = chooseFirst(choices, random());
      return [first.model, ...choices.filter((choice) => choice !== first).map(({ model }) => model)];
    },
  };
}

function readChoice(text: string, entry: string): Choice {
  const match = /^([^\s*]+)(?:\*(\d{1,4}))?$/.exec(text);
  if (!match) throw wrong(entry);
  return { model: match[1]!, weight: match[2] === undefined ? undefined : Number(match[2]) };
}

function chooseFirst(choices: readonly Choice[], random: number): Choice {
  if (choices.every(({ weight }) => weight === undefined)) return choices[0]!;
  let left = random * choices.reduce((sum, { weight = 1 }) => sum + weight, 0);
  for (const choice of choices) {
    left -= choice.weight ?? 1;
    if (left < 0) return choice;
  }
  return choices[0]!;
}

function wrong(entry: string): SettingError {
  return new SettingError(
    `SVC_GATEWAY_ALIASES has "${entry}" but must be like "fast=acme/small*3|other/small; smart=acme/large".`,
  );
}
