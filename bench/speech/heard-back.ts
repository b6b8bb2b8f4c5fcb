import { readFileSync } from "node:fs";
import { speechCatalog } from "../../src/adapters/engines/speech-local/catalog.ts";
import { toPcm16 } from "../../src/audio/pcm.ts";
import { wavHeader } from "../../src/audio/wav.ts";
import type { SpeechEngine } from "../../src/ports/speech-engine.ts";
import { finishSpeech } from "../../src/voice/speech/synthesize.ts";
import { transcribe } from "../../src/voice/transcription/transcribe.ts";
import { countCharacterErrors, countErrors } from "../hearing/score.ts";
import { startEngines } from "../hearing/setup.ts";

const sentences = JSON.parse(readFileSync(new URL("./sentences.json", import.meta.url), "utf8")) as Record<
  string,
  readonly string[]
>;
const caller = { workspaceId: "w", keyId: "bench" };
const signal = new AbortController().signal;

/** Speaks the texts of every heard language (or of those named) with each of its voices, hears them back in that language, and counts
 *  what came out otherwise. The recogniser's own errors are in it: compare voices of one language. */
export async function hearBack(engine: SpeechEngine, only?: readonly string[]): Promise<void> {
  const hearing = startEngines();
  for (const { code, voices } of speechCatalog) {
    const texts = sentences[code];
    if (!texts || (only && !only.includes(code)) || !hearing.transcription.languages().includes(code)) continue;
    for (const { id } of voices) {
      const total = { wrong: 0, words: 0, wrongLetters: 0, letters: 0 };
      for (const text of texts) {
        const speech = await finishSpeech(engine, { text, language: code, voice: id }, caller, signal);
        const pcm = toPcm16(speech.samples);
        const bytes = Buffer.concat([wavHeader(speech, pcm.length), pcm]);
        const heard = await transcribe(hearing, { bytes, language: code }, caller, signal);
        const words = countErrors(text, heard.text, code);
        const letters = countCharacterErrors(text, heard.text, code);
        total.wrong += words.errors;
        total.words += words.words;
        total.wrongLetters += letters.errors;
        total.letters += letters.characters;
        console.log(`  ${words.errors} of ${words.words}: ${heard.text}`);
      }
      const share = (wrong: number, of: number) => `${((100 * wrong) / of).toFixed(0)} %`;
      console.log(
        `${code} ${id}: ${share(total.wrong, total.words)} of ${total.words} words, ${share(total.wrongLetters, total.letters)} of characters`,
      );
    }
  }
  await hearing.close();
}
