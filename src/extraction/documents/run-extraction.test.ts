import { expect, it, vi } from "vitest";
import { DatabaseStopped } from "../../platform/database-error.ts";
import { Problem } from "../../platform/errors.ts";
import { type ExtractionTools, runExtraction } from "./run-extraction.ts";

const run = async (failure: Error) => {
  const update = vi.fn(async (_id: string, _change: { status: string }) => {});
  const row = {
    id: "ext_1",
    status: "queued",
    workspaceId: "ws_1",
    keyId: "key_1",
    contentId: "cnt_1",
    fileName: "a.pdf",
  };
  const tools = {
    documents: { sealFormer: async () => {}, findAny: async () => row, update },
    contents: { read: async () => Buffer.from("a") },
    reader: { read: () => Promise.reject(failure) },
    clock: { now: () => 0 },
    log: { error() {} },
  } as unknown as ExtractionTools;
  const outcome = await runExtraction(tools, "ext_1", new AbortController().signal).then(
    () => "noted",
    () => "tried again",
  );
  return [outcome, update.mock.lastCall![1].status];
};

it.each([
  new Problem("engine_busy", "Full.", { retryAfterSeconds: 3 }),
  new Problem("engine_unavailable", "The machine was lost. Try again.", { retryAfterSeconds: 1 }),
  new DatabaseStopped("the database is away"),
])("a document is tried again after what may pass: $message", async (failure) => {
  expect(await run(failure)).toEqual(["tried again", "processing"]);
});

it.each([new Problem("engine_unavailable", "The reader ended."), new Error("a mistake")])(
  "a document that an engine ended over, or that shows a mistake, has failed: $message",
  async (failure) => {
    expect(await run(failure)).toEqual(["noted", "failed"]);
  },
);

it("a language model is not asked about several documents in one file, whose fields it would mix", async () => {
  const read = vi.fn(async () => ({}));
  const update = vi.fn(async () => {});
  const row = {
    id: "ext_1",
    status: "queued",
    workspaceId: "ws_1",
    keyId: "key_1",
    contentId: "cnt_1",
    fileName: "a.pdf",
    templateId: null,
  };
  const extraction = { document_type: "invoice", confidence: 1, data: {}, fields: {}, checks: [], warnings: [] };
  const tools = {
    documents: { sealFormer: async () => {}, findAny: async () => row, update },
    contents: { read: async () => Buffer.from("a") },
    templates: { list: async () => [] },
    reader: { read: async () => ({ pages: 2 }) },
    understanding: {
      understand: async () => ({ ...extraction, documents: [extraction, extraction] }),
      openQuestions: async () => ({ lines: [], open: [{ name: "due_date", type: "date", description: "" }] }),
    },
    fieldModel: { read },
    clock: { now: () => 0 },
  } as unknown as ExtractionTools;
  await runExtraction(tools, "ext_1", new AbortController().signal);
  expect(update).toHaveBeenLastCalledWith("ext_1", expect.objectContaining({ status: "completed" }));
  expect(read).not.toHaveBeenCalled();
});
