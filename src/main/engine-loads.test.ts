import { describe, expect, it } from "vitest";
import type { EngineStatus } from "../ports/engine-host.ts";
import { statusesOf } from "./engine-loads.ts";
import { createStatusBoard } from "./status-board.ts";

const status = (name: string): EngineStatus => ({
  name,
  state: "ready",
  queued: 0,
  active: 0,
  places: 1,
  busySeconds: 0,
  restarts: 0,
  rssBytes: 0,
  meanJobMs: 0,
  oldestWaitMs: 0,
});

describe("what a worker offers", () => {
  it("includes engines of one's own weights, each for what it does", () => {
    const board = createStatusBoard({ folder: () => "", missing: () => undefined });
    const add = (capability: string, name: string) =>
      board.add({ capability, model: "m", modelIds: [], status: () => status(name) });
    add("chat", "gguf:qwen");
    add("embeddings", "onnx:e5");
    add("reranking", "onnx:judge");
    add("transcription", "sherpa:ear");
    add("diarisation", "sherpa:who");
    const names = (engine: Parameters<typeof statusesOf>[1]) => statusesOf(board, engine).map(({ name }) => name);
    expect(names("chat")).toEqual(["gguf:qwen"]);
    expect(names("embeddings")).toEqual(["onnx:e5"]);
    expect(names("reranking")).toEqual(["onnx:judge"]);
    expect(names("transcription")).toEqual(["sherpa:ear"]);
  });
});
