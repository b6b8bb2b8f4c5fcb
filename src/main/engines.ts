import type { DocumentReader } from "../ports/document-reader.ts";
import type { EngineHost } from "../ports/engine-host.ts";
import type { FieldModel } from "../ports/field-model.ts";
import type { SpeechEngine } from "../ports/speech-engine.ts";
import { type CloningEngines, createCloningEngines } from "./cloning-engines.ts";
import type { EngineContext } from "./engine-context.ts";
import { createExtractionEngines } from "./extraction-engines.ts";
import { createHearingEngines, type HearingEngines } from "./hearing-engines.ts";
import { createSpeechEngines } from "./speech-engines.ts";
import { createWordsEngines, type WordsParts } from "./words-engines.ts";

/** Every engine of this process. An adapter is picked here and nowhere else. */
export interface Engines {
  speech: SpeechEngine;
  hearing: HearingEngines;
  cloning: CloningEngines;
  reader: DocumentReader;
  understanding: EngineHost;
  fieldModel: FieldModel | undefined;
  words: WordsParts;
  close(): Promise<void>;
}

export function createEngines(context: EngineContext): Engines {
  const speech = createSpeechEngines(context);
  const hearing = createHearingEngines(context);
  const cloning = createCloningEngines(context, speech);
  const extraction = createExtractionEngines(context);
  const words = createWordsEngines(context);
  return {
    speech: cloning.speech,
    hearing,
    cloning,
    reader: extraction.reader,
    understanding: extraction.understanding,
    fieldModel: extraction.fieldModel,
    words: words.parts,
    async close() {
      await speech.close();
      await hearing.close();
      await cloning.close();
      await extraction.close();
      await words.close();
    },
  };
}
