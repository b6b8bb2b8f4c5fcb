import { describe, expect, it } from "vitest";
import { Problem } from "../../../platform/errors.ts";
import type { TranslationEngine } from "../../../ports/translation-engine.ts";
import { bestWay } from "./best-way.ts";
import { directionsOf, type MeasuredDirection, qualityOf, readDirections } from "./directions.ts";

const usage = { inputTokens: 1, outputTokens: 1, cachedTokens: null };
const way = (engine: string, chrf: number | null) => ({ engine, chrf, flores: chrf, dev: null });
const known: MeasuredDirection[] = [
  { source: "en-us", target: "es", ways: [way("translator", 55), way("apertium", 45)] },
  { source: "en-us", target: "fr", ways: [way("apertium", 48), way("translator", 38)] },
  { source: "en-us", target: "pa", ways: [way("translator", 24)] },
  { source: "en-us", target: "gl", ways: [way("apertium", null)] },
];
function local(name: string, fields: Partial<TranslationEngine> = {}) {
  const engine: TranslationEngine = {
    directions: () => directionsOf(name, known),
    translate: async ({ text }) => ({ text: `${name}: ${text}`, usage }),
    ...fields,
  };
  return { id: name, engine };
}
const server = {
  id: "openai:big",
  engine: {
    modelName: "big",
    takesAnyDirection: true,
    directions: () => [],
    translate: async () => ({ text: "server", usage }),
  } satisfies TranslationEngine,
};
const ask = (engine: TranslationEngine, target: string) =>
  engine.translate({ text: "Hi", source: "en-us", target, key: "k", flow: "f" }, new AbortController().signal);

describe("the way of a direction", () => {
  const both = bestWay([local("translator"), local("apertium")], known);

  it("is the engine that was measured to be best, and the reply says which it was and how good", async () => {
    expect(await ask(both, "es")).toMatchObject({ text: "translator: Hi", engine: "translator", quality: "good" });
    expect(await ask(both, "fr")).toMatchObject({ engine: "apertium", quality: "good" });
    expect(await ask(both, "gl")).toMatchObject({ engine: "apertium", quality: "preview" });
  });

  it("is the next best where the best is not on the machine", async () => {
    const alone = bestWay([local("translator"), local("apertium", { directions: () => [] })], known);
    expect(await ask(alone, "fr")).toMatchObject({ engine: "translator", quality: "preview" });
    expect(alone.directions().map(({ target, quality }) => `${target} ${quality}`)).toEqual(["es good", "fr preview"]);
  });

  it("is the next best when the best cannot answer, but not when the request itself was refused", async () => {
    const fail = (kind: "engine_unavailable" | "invalid_request") =>
      local("translator", { translate: () => Promise.reject(new Problem(kind, "no")) });
    expect(await ask(bestWay([fail("engine_unavailable"), local("apertium")], known), "es")).toMatchObject({
      engine: "apertium",
    });
    await expect(ask(bestWay([fail("invalid_request"), local("apertium")], known), "es")).rejects.toThrow("no");
  });

  it("is not offered below 25", async () => {
    expect(both.directions().map(({ target }) => target)).toEqual(["es", "fr", "gl"]);
    await expect(ask(both, "pa")).rejects.toMatchObject({ kind: "invalid_request" });
  });

  it("to a server that was never measured is where the settings put it", async () => {
    const after = bestWay([local("translator"), local("apertium"), server], known);
    expect(await ask(after, "es")).toMatchObject({ engine: "translator" });
    expect(await ask(after, "pa")).toMatchObject({ engine: "big" });
    const before = bestWay([server, local("translator")], known);
    expect(await ask(before, "es")).toMatchObject({ engine: "big" });
    expect(before.takesAnyDirection).toBe(true);
  });

  it("to a server that was measured is decided like any other", async () => {
    const measured = [{ source: "en-us", target: "es", ways: [way("openai:big", 70), way("translator", 55)] }];
    expect(await ask(bestWay([local("translator"), server], measured), "es")).toMatchObject({ engine: "big" });
  });
});

describe("how good a way is", () => {
  const quality = (flores: number | null, dev: number | null) =>
    qualityOf({ engine: "translator", chrf: dev ?? flores ?? 50, flores, dev });

  it("is told by its weaker figure, and a guess is a preview", () => {
    expect([quality(45, 60), quality(35, 60), quality(null, 40), quality(null, null)]).toEqual([
      "good",
      "preview",
      "good",
      "preview",
    ]);
  });
});

describe("the table that ships", () => {
  it("has the ways of a direction best first, and every direction once", () => {
    const table = readDirections();
    expect(new Set(table.map(({ source, target }) => `${source} ${target}`)).size).toBe(table.length);
    for (const { ways } of table) {
      const [first, second] = ways.flatMap(({ flores }) => (flores === null ? [] : [flores]));
      // Less than a point is chance, and the other set decides.
      if (second !== undefined) expect(first).toBeGreaterThan(second - 1);
    }
  });
});
