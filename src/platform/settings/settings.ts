import type { Setting } from "./setting.ts";
import { settingGroups } from "./setting-groups.ts";

type Group = Record<string, Setting<unknown>>;
export type Settings = {
  -readonly [G in keyof typeof settingGroups]: {
    -readonly [S in keyof (typeof settingGroups)[G]]: (typeof settingGroups)[G][S] extends Setting<infer Value>
      ? Value
      : never;
  };
};

/** Names the setting and what would have been right. */
export class SettingError extends Error {}

export function readSettings(env: Record<string, string | undefined>): Settings {
  const settings: Record<string, Record<string, unknown>> = {};
  for (const [group, members] of Object.entries(settingGroups) as [string, Group][]) {
    settings[group] = {};
    for (const [name, one] of Object.entries(members)) {
      const given = env[one.env]?.trim();
      try {
        settings[group][name] = one.parse(given === undefined || given === "" ? one.fallback : given);
      } catch (error) {
        const shown = one.isSecret ? "" : ` is "${given}" but`;
        throw new SettingError(`${one.env}${shown} ${(error as Error).message}.`);
      }
    }
  }
  givenTexts.set(settings, env);
  return settings as Settings;
}

/** What settings were read from, for whoever wants to know where a value comes from. */
const givenTexts = new WeakMap<object, Record<string, string | undefined>>();

export interface SettingReport {
  group: string;
  name: string;
  help: string;
  /** Null for secrets. */
  value: string | null;
  isSecret: boolean;
  source: "environment" | "default";
}

/** Every setting as it was given, without what must stay secret. */
export function reportSettings(settings: Settings): SettingReport[] {
  const env = givenTexts.get(settings) ?? {};
  return (Object.entries(settingGroups) as [string, Group][]).flatMap(([group, members]) =>
    Object.values(members).map(({ env: name, help, fallback, isSecret = false }) => {
      const given = env[name]?.trim();
      const value = (given || fallback).replace(/\/\/[^/@\s]+@/g, "//***@");
      const source = given ? ("environment" as const) : ("default" as const);
      return { group, name, help, value: isSecret ? null : value, isSecret, source };
    }),
  );
}

/** Variables that look like ours and are not: most likely a slip of the pen. */
export function unknownSettings(env: Record<string, string | undefined>): string[] {
  const known = new Set(allSettings().map((one) => one.env));
  return Object.keys(env).filter((name) => name.startsWith("SVC_") && !known.has(name));
}

export function usesPostgres(settings: Settings): boolean {
  return /^postgres/.test(settings.storage.databaseUrl ?? "");
}

/** Where clients reach this server, as far as the settings know. */
export function publicUrlOf({ server }: Settings): string {
  return server.publicUrl ?? `http://localhost:${server.port}`;
}

export function allSettings(): Setting<unknown>[] {
  return Object.values(settingGroups).flatMap((group) => Object.values(group as Group));
}
