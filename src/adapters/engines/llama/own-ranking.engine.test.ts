import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { writeTestRanker } from "../../../../tests/support/test-gguf.ts";
import { silentLog } from "../../../platform/log.ts";
import { parseOwnAddress } from "../own-weights/parse-address.ts";
import { openGguf } from "./own-gguf.ts";
import { createOwnRanking } from "./own-ranking.ts";

it("a GGUF reranker scores documents from 0 to 1, the long ones to their end", async () => {
  const folder = mkdtempSync(join(tmpdir(), "parlance-ranker-"));
  const file = join(folder, "ranker.gguf");
  writeFileSync(file, writeTestRanker());
  const settings = { modelsDir: folder, contextTokens: 0, gpu: { use: "off", layers: 0 } as const };
  const gguf = openGguf("SVC_RERANKING_ENGINE", parseOwnAddress(`gguf:${file}`, ["gguf"])!, "reranking", settings);
  const engine = createOwnRanking({ ...gguf, log: silentLog, threads: 1 });
  try {
    expect(engine.modelName).toBe("ranker");
    const barks = "the dog barks ".repeat(40);
    const documents = ["the dog barks", "the cat", "cat cat cat cat", `${barks}${"cat ".repeat(20)}`, barks, ""];
    const request = { query: "mat", documents, key: "k", flow: "f" };
    const { scores, tokens } = await engine.score(request, new AbortController().signal);
    const [dog, cat, cats, long, longDog] = scores as [number, number, number, number, number];
    for (const score of scores) expect(score).toBeGreaterThanOrEqual(0);
    for (const score of scores) expect(score).toBeLessThanOrEqual(1);
    expect(cats).toBeGreaterThan(cat);
    expect(cat).toBeGreaterThan(dog);
    expect(long).toBeGreaterThan(longDog);
    expect(tokens).toBeGreaterThan(120);
    const far = await engine.score({ ...request, query: "mat ".repeat(500) }, new AbortController().signal);
    expect(far.scores).toHaveLength(6);
  } finally {
    await engine.host.close();
    rmSync(folder, { recursive: true, force: true });
  }
});
