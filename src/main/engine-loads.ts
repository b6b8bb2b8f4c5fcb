import type { EngineName } from "../adapters/workers/catalog.ts";
import type { Load } from "../adapters/workers/protocol.ts";
import type { EngineStatus } from "../ports/engine-host.ts";
import type { StatusBoard } from "./status-board.ts";

/** The processes that an engine's work is done in. Helpers that take a moment of each job are left out. */
const hostsOf: Readonly<Record<EngineName, readonly string[]>> = {
  speech: ["kokoro", "piper"],
  transcription: ["moonshine", "whisper"],
  cloning: ["piper", "xvector"],
  translation: ["translator", "apertium"],
  chat: ["llama"],
  embeddings: ["bge"],
  reranking: [],
  media: ["media-decoder"],
  activity: ["silero"],
  prints: ["xvector"],
  language: ["language-id"],
  reader: ["document-reader", "pp-ocr"],
  understanding: ["document-understanding"],
};

/** The board's capability that engines of other servers and of one's own weights are shown under. */
const capabilityOf: Readonly<Partial<Record<EngineName, string>>> = {
  speech: "speech",
  transcription: "transcription",
  translation: "translation",
  chat: "chat",
  embeddings: "embeddings",
  reranking: "reranking",
};

/** What the names of such engines begin with. */
const isOwnOrRemote = /^(?:openai|gguf|onnx|sherpa):/;

/** A server elsewhere has its own queue; this many of its requests at once are no reason to ask another machine. */
const placesOfServers = 64;

/** What the board says about the processes behind an engine. */
export function statusesOf(board: StatusBoard, engine: EngineName): EngineStatus[] {
  return board
    .entries()
    .map((entry) => ({ capability: entry.capability, status: entry.status() }))
    .filter(
      ({ capability, status }) =>
        hostsOf[engine].includes(status.name) ||
        (isOwnOrRemote.test(status.name) && capability === capabilityOf[engine]),
    )
    .map(({ status }) => status);
}

/** How busy an engine of this process is. */
export function loadOf(board: StatusBoard, engine: EngineName): Load {
  const statuses = statusesOf(board, engine);
  const sum = (pick: (status: EngineStatus) => number) => statuses.reduce((total, status) => total + pick(status), 0);
  const most = (pick: (status: EngineStatus) => number) => Math.max(0, ...statuses.map(pick));
  return {
    queued: sum(({ queued }) => queued),
    active: sum(({ active }) => active),
    places: most(({ places, name }) => (name.startsWith("openai:") ? placesOfServers : places)),
    meanJobMs: sum(({ meanJobMs }) => meanJobMs) / Math.max(1, statuses.length),
    oldestWaitMs: most(({ oldestWaitMs }) => oldestWaitMs),
  };
}
