// Recordings into English: Whisper's own translation against its transcript and our translator, on sentences of FLORES spoken by our
// voices, chrF against the English sentence.   npm run bench -- hearing/into-english [sentences, default 3] [--only=de,fr] [--show]
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { toPcm16 } from "../../src/audio/pcm.ts";
import { wavHeader } from "../../src/audio/wav.ts";
import { finishSpeech } from "../../src/voice/speech/synthesize.ts";
import { transcribe } from "../../src/voice/transcription/transcribe.ts";
import { openLocalSpeech } from "../../tests/support/local-speech.ts";
import { chrf } from "../translation/chrf.ts";
import { openTranslator } from "../translation/engines.ts";
import { flagOf, readClips, startEngines } from "./setup.ts";

const codes: Record<string, string> = { de: "de", fr: "fr", it: "it", pt: "pt-br", es: "es", nl: "nl", ca: "ca" };
const count = Number(process.argv[2] ?? 3);
const languages = flagOf("only")?.split(",") ?? ["de", "fr", "it", "pt", "es"];
const isShown = process.argv.includes("--show");
const linesOf = (language: string) =>
  readFileSync(join(readClips().folder, "..", "mt", `flores-${language}.txt`), "utf8")
    .split("\n")
    .slice(0, count);
const [speech, engines, translator] = [openLocalSpeech(), startEngines(), openTranslator()];
const signal = new AbortController().signal;
const caller = { workspaceId: "w", keyId: "bench" };
const english = linesOf("en");

for (const language of languages) {
  const code = codes[language]!;
  const direct: string[] = [];
  const chained: string[] = [];
  for (const [index, text] of linesOf(language).entries()) {
    const { samples, sampleRateHz } = await finishSpeech(speech.engine, { text, language: code }, caller, signal);
    const pcm = toPcm16(samples);
    const bytes = Buffer.concat([wavHeader({ sampleRateHz }, pcm.length), pcm]);
    const translated = await transcribe(engines, { bytes, language: code, isTranslated: true }, caller, signal);
    const heard = await transcribe(engines, { bytes, language: code }, caller, signal);
    const done = await translator.run({ text: heard.text, source: language, target: "en" });
    direct.push(translated.text);
    chained.push(done.text);
    if (isShown) console.log(`  ${english[index]}\n    direct  ${translated.text}\n    chained ${done.text}`);
  }
  console.log(
    `${language}: chrF ${chrf(direct, english).toFixed(1)} by Whisper, ${chrf(chained, english).toFixed(1)} by way of text`,
  );
}
await Promise.all([speech.close(), engines.close(), translator.host.close()]);
