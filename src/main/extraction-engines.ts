import { availableParallelism } from "node:os";
import { createDocumentReader } from "../adapters/engines/document-reader/document-reader.ts";
import { reportGaps } from "../adapters/engines/host/cage/cage.ts";
import { createEngineHost } from "../adapters/engines/host/create-engine-host.ts";
import {
  createOpenAiFieldModel,
  parseFieldModelAddress,
} from "../adapters/engines/openai-field-model/openai-field-model.ts";
import { SettingError } from "../platform/settings/settings.ts";
import { siblingModule } from "../platform/sibling-module.ts";
import type { DocumentReader } from "../ports/document-reader.ts";
import type { EngineHost } from "../ports/engine-host.ts";
import type { FieldModel } from "../ports/field-model.ts";
import type { EngineContext } from "./engine-context.ts";

export interface ExtractionEngines {
  readonly reader: DocumentReader;
  readonly understanding: EngineHost;
  readonly fieldModel: FieldModel | undefined;
  close(): Promise<void>;
}

const ocrModel = "pp-ocr-v4";

/** A fresh process for each file that is opened, and a longer-lived one that recognises text in pictures. */
export function createExtractionEngines({ settings, models, board, log }: EngineContext): ExtractionEngines {
  reportGaps(log);
  const cores = availableParallelism();
  const reader = createEngineHost({
    name: "document-reader",
    module: siblingModule(import.meta.url, "../adapters/engines/document-reader/reader-child"),
    settings: () => ({}),
    log,
    // While one process ends and its successor starts, another is ready.
    children: Math.max(2, Math.min(6, cores)),
    // A file may be made to take half a minute; others find a free process meanwhile.
    placesPerKey: Math.max(2, Math.min(6, cores)) - 1,
    retireAfterJobs: 1,
    cage: {},
    heapLimitMb: 768,
    memoryLimitMb: 1500,
    queueLimit: 256,
  });
  const ocr = createEngineHost({
    name: "pp-ocr",
    module: siblingModule(import.meta.url, "../adapters/engines/pp-ocr/ocr-child"),
    settings: () => ({ modelsDir: models.folder(ocrModel) }),
    cage: { reads: [models.folder(ocrModel)] },
    log,
    children: Math.max(1, Math.min(4, Math.floor(cores / 2))),
    retireAfterJobs: 200,
    retireAboveMb: 900,
    memoryLimitMb: 1800,
    queueLimit: 256,
    missing: () => models.missing(ocrModel),
  });
  const understanding = createEngineHost({
    name: "document-understanding",
    module: siblingModule(import.meta.url, "./understanding-child"),
    settings: () => ({}),
    cage: {},
    log,
    // One long document must not hold up the short ones.
    children: 2,
    placesPerKey: 1,
    heapLimitMb: 768,
    memoryLimitMb: 1200,
    retireAboveMb: 500,
    queueLimit: 256,
  });
  board.add({ capability: "extraction", model: "svc-extract-1", modelIds: [], status: () => reader.status() });
  board.add({ capability: "extraction", model: "svc-extract-1", modelIds: [], status: () => understanding.status() });
  board.add({ capability: "extraction", model: "svc-extract-1", modelIds: [ocrModel], status: () => ocr.status() });
  return {
    reader: createDocumentReader({ reader, ocr }),
    understanding,
    fieldModel: createFieldModel(settings.extraction.llm, settings.engines.apiKey),
    async close() {
      await Promise.all([reader.close(), ocr.close(), understanding.close()]);
    },
  };
}

function createFieldModel(address: string | undefined, apiKey: string | undefined): FieldModel | undefined {
  if (address === undefined) return undefined;
  const parsed = parseFieldModelAddress(address);
  if (!parsed)
    throw new SettingError(`SVC_EXTRACTION_LLM is "${address}" but must look like openai:http://host/v1#model.`);
  return createOpenAiFieldModel({ ...parsed, apiKey });
}
