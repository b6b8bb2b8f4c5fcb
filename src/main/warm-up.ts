import { freemem } from "node:os";
import type { Log } from "../platform/log.ts";
import type { SpeechEngine } from "../ports/speech-engine.ts";
import { finishSpeech } from "../voice/speech/synthesize.ts";

const ENOUGH_BYTES = 2 * 1024 ** 3;
/** The start comes first: requests that are already waiting are answered before anything is loaded ahead. */
const DELAY_MS = 500;

/** Lets the default voice say a word to nobody, so that the first caller does not wait for its model. Every other model is
 *  still loaded when it is first asked for. */
export function warmUp(speech: SpeechEngine, log: Log, freeBytes = freeMemory): { stop(): void } {
  const stopping = new AbortController();
  const timer = setTimeout(() => {
    if (speech.languages().length === 0 || freeBytes() < ENOUGH_BYTES) return;
    const startedAt = performance.now();
    finishSpeech(speech, { text: "Hello." }, { keyId: "warm-up" }, stopping.signal).then(
      () => log.debug({ ms: Math.round(performance.now() - startedAt) }, "the default voice is loaded"),
      // Whoever asks next is told what is wrong.
      (error) => log.debug({ error: String(error) }, "the default voice was not loaded"),
    );
  }, DELAY_MS);
  timer.unref();
  return {
    stop() {
      clearTimeout(timer);
      stopping.abort(new Error("the server is shutting down"));
    },
  };
}

/** What the machine or, where it is less, the container has left. */
function freeMemory(): number {
  const limit = process.constrainedMemory() ?? 0;
  return limit > 0 ? Math.min(freemem(), limit - process.memoryUsage.rss()) : freemem();
}
