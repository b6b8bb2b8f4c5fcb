import { execFileSync, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { readCatalog } from "../../src/adapters/models/catalog.ts";
import { packageRoot } from "../../src/platform/package-root.ts";

const folder = join(packageRoot(), "training", "translator");
const settings = JSON.parse(readFileSync(join(folder, "settings.json"), "utf8")) as Record<string, string[]>;
const read = (...path: string[]) => readFileSync(join(packageRoot(), ...path), "utf8");

it("names the translator's sources without a stated licence wherever somebody looks for licences", () => {
  const table = read("training", "translator", "README.md").matchAll(/^\| ([\w-]+) \| not stated.*\| ([\w. ]+) \|$/gm);
  const unstated = [...table].filter(([, , weight]) => weight !== "left out").map(([, name]) => name);
  expect([...unstated].sort()).toEqual(settings.unlicensed);
  const { note } = readCatalog().find(({ id }) => id === "translator")!.licence;
  for (const name of unstated) {
    expect(note, "models list").toContain(name);
    expect(read("README.md"), "README").toContain(name);
  }
});

const hasPython = spawnSync("python3", ["--version"]).status === 0;

it.skipIf(!hasPython)(
  "training without them leaves them out of pairs and of the English that is translated back",
  () => {
    const env = { PATH: process.env.PATH ?? "", TRANSLATOR_LICENSED: "1", PYTHONDONTWRITEBYTECODE: "1" };
    const code = "import json, sources; print(json.dumps(sources.settings_of()))";
    const made = JSON.parse(execFileSync("python3", ["-c", code], { cwd: folder, env, encoding: "utf8" }));
    expect(made.excluded).toEqual([...settings.excluded!, ...settings.unlicensed!]);
    const english = made.english.flatMap(({ sources }: { sources: string[] }) => sources);
    for (const name of settings.unlicensed!) expect([...english, ...Object.keys(made.weights)]).not.toContain(name);
  },
);
