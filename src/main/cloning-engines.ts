import { XVECTOR_MODEL } from "../adapters/engines/xvector/files.ts";
import { createXvector } from "../adapters/engines/xvector/xvector.ts";
import type { VoicePrinter } from "../ports/voice-printer.ts";
import type { EngineContext } from "./engine-context.ts";

export interface CloningEngines {
  readonly printer: VoicePrinter;
  close(): Promise<void>;
}

/** What tells speakers apart. */
export function createCloningEngines({ models, board, log }: EngineContext): CloningEngines {
  const printer = createXvector({ models, log });
  board.add({
    capability: "speakers",
    model: "svc-tts-1",
    modelIds: [XVECTOR_MODEL],
    status: () => printer.host.status(),
  });
  return { printer, close: () => printer.host.close() };
}
