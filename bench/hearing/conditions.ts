// Words wrong when the same speech is fainter, louder, noisier, on the telephone, in a room, faster or slower: as files and live.
// Compares with the recordings as they are.   npm run bench -- hearing/conditions [--live] [--show] [--only=es] [part of a name]
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { toPcm16 } from "../../src/audio/pcm.ts";
import { resample } from "../../src/audio/resample.ts";
import { readWav, wavHeader } from "../../src/audio/wav.ts";
import { transcribe } from "../../src/voice/transcription/transcribe.ts";
import { distortions } from "./distort.ts";
import { hearLive } from "./hear-live.ts";
import { countErrors } from "./score.ts";
import { readClips, startEngines } from "./setup.ts";

const isLive = process.argv.includes("--live");
const isShown = process.argv.includes("--show");
const only = process.argv.find((argument) => argument.startsWith("--only="))?.slice(7);
const wanted = process.argv.slice(2).find((argument) => !argument.startsWith("--")) ?? "";
const { folder, clips } = readClips();
const codes: Record<string, string> = { en: "en-us", es: "es" };
const engines = startEngines();
const signal = new AbortController().signal;

for (const [name, distort] of Object.entries(distortions).filter(([name]) => name.includes(wanted))) {
  const figures: string[] = [];
  for (const language of Object.keys(codes).filter((code) => !only || code === only)) {
    let errors = 0;
    let words = 0;
    let unheard = 0;
    for (const clip of clips.filter((one) => one.language === language)) {
      const { samples, sampleRateHz } = readWav(readFileSync(join(folder, clip.path)))!;
      const pcm = toPcm16(distort(resample(samples, sampleRateHz, 16_000)));
      const heard = await (isLive ? listen(pcm, language) : read(pcm, language));
      const scored = countErrors(clip.transcript, heard, language);
      errors += scored.errors;
      words += scored.words;
      if (heard.trim() === "") unheard += 1;
      if (isShown && scored.errors > 0)
        console.log(
          `  ${scored.errors}/${scored.words} ${clip.path}\n    said  ${clip.transcript}\n    heard ${heard}`,
        );
    }
    const nothing = unheard > 0 ? `, ${unheard} clips unheard` : "";
    figures.push(`${language} ${((100 * errors) / words).toFixed(1)} % of ${words} words wrong${nothing}`);
  }
  console.log(`${name}, ${isLive ? "live" : "file"}: ${figures.join("; ")}`);
}
await engines.close();

async function read(pcm: Uint8Array, language: string): Promise<string> {
  const bytes = Buffer.concat([wavHeader({ sampleRateHz: 16_000 }, pcm.length), pcm]);
  return (await transcribe(engines, { bytes, language }, { workspaceId: "w", keyId: "bench" }, signal)).text;
}

/** With a second of silence behind it, as a microphone goes on. */
async function listen(pcm: Uint8Array, language: string): Promise<string> {
  const samples = new Int16Array(pcm.length / 2 + 16_000);
  samples.set(new Int16Array(pcm.buffer, pcm.byteOffset, pcm.length / 2));
  const events = await hearLive(engines, samples, codes[language]!);
  return events.flatMap((event) => (event.type === "final" ? [event.text] : [])).join(" ");
}
