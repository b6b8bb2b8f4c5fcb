import { SettingError } from "../../platform/settings/settings.ts";
import type { Strategy } from "./order-routes.ts";

/** One of the operator's own names for models. */
export interface Alias {
  readonly name: string;
  readonly strategy: Strategy;
  /** In their order; the weights count for `weighted`. */
  readonly models: readonly { readonly model: string; readonly weight: number }[];
}

export type Aliases = ReadonlyMap<string, Alias>;

/** Reads `fast=a/x*3|b/y; smart=c/z`: the first is chosen by weight where there are any, the others follow in their order. */
export function readAliases(setting: string | undefined): Alias[] {
  const entries = (setting ?? "").split(";").map((entry) => entry.trim());
  return entries.filter((entry) => entry !== "").map(readAlias);
}

function readAlias(entry: string): Alias {
  const [name = "", list = ""] = entry.split("=").map((part) => part.trim());
  const matches = list.split("|").map((part) => /^([^\s*]+)(?:\*(\d{1,4}))?$/.exec(part.trim()));
  if (name === "" || name.startsWith("local/") || matches.some((match) => !match)) {
    throw new SettingError(
      `SVC_GATEWAY_ALIASES has "${entry}" but must be like "fast=acme/small*3|other/small; smart=acme/large".`,
    );
  }
  return {
    name,
    strategy: matches.some((match) => match![2] !== undefined) ? "weighted" : "order",
    models: matches.map((match) => ({ model: match![1]!, weight: Number(match![2] ?? 1) })),
  };
}
