import { readdirSync } from "node:fs";
import { MODES_FOLDER } from "../../src/adapters/engines/apertium/apertium.ts";

/** Our codes and what Apertium's modes call them; a name only for output is marked with a plus. */
const names: Record<string, string[]> = {
  "en-us": ["eng", "en"],
  es: ["spa", "es"],
  fr: ["fra", "fr"],
  it: ["ita"],
  "pt-br": ["+por_BR", "+pt_BR", "por", "pt"],
  "pt-pt": ["por", "pt"],
  ca: ["cat", "ca"],
  gl: ["gl"],
  oc: ["oci", "oc"],
  an: ["arg"],
  ast: ["ast"],
  ro: ["ro"],
  eu: ["eu"],
  eo: ["eo"],
  is: ["isl"],
  sv: ["swe"],
  da: ["dan"],
  nb: ["nob"],
  nn: ["nno"],
  hr: ["+hbs_HR", "hbs"],
  sr: ["+hbs_SR", "hbs"],
  sl: ["slv"],
  mk: ["mkd"],
  bg: ["bul"],
  ru: ["rus"],
  uk: ["ukr"],
  be: ["bel"],
  hi: ["hin"],
  ur: ["urd"],
  nl: ["nld"],
  af: ["afr"],
  id: ["ind"],
  ms: ["zlm"],
  br: ["br"],
};
const mostSteps = 3;

interface Step {
  mode: string;
  from: string;
  to: string;
}

const modes = new Set(listModes());
const steps = findSteps();

export const apertiumCodes = Object.keys(names);
export const hasApertium = modes.size > 0;

/** Every way without a detour through the same language twice; long ways only through languages that many modes know. */
export function findChains(source: string, target: string): string[][] {
  const chains: string[][] = [];
  const walk = (at: string, path: string[], seen: string[]) => {
    for (const step of steps.filter(({ from }) => from === at)) {
      if (step.to === target) chains.push([...path, step.mode]);
      else if (path.length + 1 < mostSteps && ["es", "ca", "en-us"].includes(step.to) && !seen.includes(step.to)) {
        walk(step.to, [...path, step.mode], [...seen, step.to]);
      }
    }
  };
  walk(source, [], [source]);
  return chains.sort((a, b) => a.length - b.length);
}

function findSteps(): Step[] {
  const all: Step[] = [];
  for (const [from, fromNames] of Object.entries(names)) {
    for (const [to, toNames] of Object.entries(names)) {
      const inputs = fromNames.filter((name) => !name.startsWith("+"));
      const outputs = toNames.map((name) => name.replace("+", ""));
      const mode = outputs
        .flatMap((output) => inputs.map((input) => `${input}-${output}`))
        .find((one) => modes.has(one));
      if (mode && from !== to) all.push({ mode, from, to });
    }
  }
  return all;
}

function listModes(): string[] {
  try {
    return readdirSync(MODES_FOLDER).map((name) => name.replace(/\.mode$/, ""));
  } catch {
    return [];
  }
}
