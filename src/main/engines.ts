import { speakClones } from "../adapters/engines/local-cloner/speak-clones.ts";
import { spreadCloner, spreadPrinter } from "../adapters/workers/spread/spread-cloning.ts";
import { spreadReader, spreadUnderstanding } from "../adapters/workers/spread/spread-extraction.ts";
import { spreadActivity, spreadDecoder, spreadTranscription } from "../adapters/workers/spread/spread-hearing.ts";
import { spreadSpeech } from "../adapters/workers/spread/spread-speech.ts";
import type { DocumentReader } from "../ports/document-reader.ts";
import type { EngineHost } from "../ports/engine-host.ts";
import type { FieldModel } from "../ports/field-model.ts";
import type { SpeechEngine } from "../ports/speech-engine.ts";
import { type CloningEngines, createCloningEngines } from "./cloning-engines.ts";
import { type EngineContext, quietUnless, runsHere } from "./engine-context.ts";
import { createExtractionEngines, type ExtractionEngines } from "./extraction-engines.ts";
import { createHearingEngines, type HearingEngines } from "./hearing-engines.ts";
import { createSpeechEngines } from "./speech-engines.ts";
import { createWordsEngines, type WordsParts } from "./words-engines.ts";

/** Every engine of this process. An adapter is picked here and nowhere else. */
export interface Engines {
  speech: SpeechEngine;
  /** The same without cloned voices. */
  plainSpeech: SpeechEngine;
  hearing: HearingEngines;
  cloning: CloningEngines;
  reader: DocumentReader;
  understanding: EngineHost;
  /** Whether documents are read by this process, if need be. */
  readsHere: boolean;
  fieldModel: FieldModel | undefined;
  words: WordsParts;
  close(): Promise<void>;
}

export function createEngines(context: EngineContext): Engines {
  // A clone speaks with the voices of its own machine.
  const speech = createSpeechEngines(quietUnless(context, "speech", "cloning"));
  let words: ReturnType<typeof createWordsEngines> | undefined;
  // A recogniser that does not tell the language by the sound asks who tells it by the words, later.
  const hearing = createHearingEngines(quietUnless(context, "transcription"), () => words?.parts.detector);
  const cloning = createCloningEngines(quietUnless(context, "cloning"), speech);
  const extraction = createExtractionEngines(quietUnless(context, "extraction"));
  words = createWordsEngines(quietUnless(context, "translation", "chat", "embeddings"));
  const reach = reachWorkers(context, { speech: speech.speech, hearing, cloning, extraction });
  return {
    speech: speakClones(reach.speech, reach.cloning.cloner),
    plainSpeech: reach.speech,
    hearing: reach.hearing,
    cloning: reach.cloning,
    reader: reach.reader,
    understanding: reach.understanding,
    readsHere: reach.readsHere,
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

interface OwnEngines {
  speech: SpeechEngine;
  hearing: HearingEngines;
  cloning: CloningEngines;
  extraction: ExtractionEngines;
}

/** The engines of this process, joined by those of the workers where there is a way to them. */
function reachWorkers(context: EngineContext, own: OwnEngines) {
  const { speech, hearing, cloning, extraction } = own;
  const { spread } = context;
  const { reader, understanding } = extraction;
  if (!spread) return { speech, hearing, cloning, reader, understanding, readsHere: true };
  const hears = runsHere(context, "transcription");
  const clones = runsHere(context, "cloning");
  const extracts = runsHere(context, "extraction");
  return {
    speech: spreadSpeech(spread, runsHere(context, "speech") ? speech : undefined),
    hearing: {
      ...hearing,
      decoder: spreadDecoder(spread, hears ? hearing.decoder : undefined),
      activity: spreadActivity(spread, hears ? hearing.activity : undefined),
      transcription: spreadTranscription(spread, hears ? hearing.transcription : undefined),
    },
    cloning: {
      ...cloning,
      printer: spreadPrinter(spread, clones ? cloning.printer : undefined),
      cloner: spreadCloner(spread, clones ? cloning.cloner : undefined),
    },
    reader: spreadReader(spread, extracts ? reader : undefined),
    understanding: spreadUnderstanding(spread, understanding, extracts),
    readsHere: extracts,
  };
}
