import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { writeTestReranker } from "../../../../tests/support/test-reranker.ts";
import { silentLog } from "../../../platform/log.ts";
import { parseOwnAddress } from "../own-weights/parse-address.ts";
import { type CrossEncoder, createCrossEncoder } from "./cross-encoder.ts";
import { openCrossEncoder } from "./open-cross-encoder.ts";

describe("a cross-encoder", () => {
  let folder: string;
  let engine: CrossEncoder;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "parlance-rank-"));
    writeTestReranker(folder);
    const weights = openCrossEncoder("SVC_RERANKING_ENGINE", parseOwnAddress(`onnx:${folder}`, ["onnx"])!, folder);
    engine = createCrossEncoder({ weights, log: silentLog, lanes: 2 });
  });
  afterAll(async () => {
    await engine?.host.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const score = (query: string, documents: string[]) =>
    engine.score({ query, documents, key: "k", flow: "f" }, new AbortController().signal);

  it("reads query and document together: more in common is a higher score", async () => {
    const { scores, tokens } = await score("Cats sleeps", ["the dog barks.", "The cats sleeps", "a cat", ""]);
    const [dog, cats, cat, nothing] = scores as [number, number, number, number];
    expect(cats).toBeGreaterThan(cat);
    expect(cat).toBeGreaterThan(dog);
    expect(dog).toBeCloseTo(nothing);
    expect(cats).toBeCloseTo(1 / (1 + Math.exp(-2.5)));
    // Three of the frame and three of the query, four times; then each document.
    expect(tokens).toBe(4 * 6 + 4 + 4 + 2 + 0);
  });

  it("reads a long document to its end, and a long query as far as there is room", async () => {
    const filler = "a dog barks on the mat. ".repeat(300);
    const { scores } = await score("invoice 4711", [`${filler} invoice 4711`, filler]);
    expect(scores[0]).toBeGreaterThan(0.5);
    expect(scores[1]).toBeLessThan(0.5);
    const long = await score("cat ".repeat(2000), ["cat", "dog"]);
    expect(long.scores[0]).toBeGreaterThan(long.scores[1]!);
  });
});
