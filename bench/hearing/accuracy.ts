// Word errors per language, wrong languages, and CPU per second of audio, on human speech.
// Compares with the bare model: the figures of docs/hearing.md.   npx tsx bench/hearing/accuracy.ts [--auto] [--show] [--only=es]
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { transcribe } from "../../src/voice/transcription/transcribe.ts";
import { countErrors } from "./score.ts";
import { childCpuSeconds, readClips, startEngines } from "./setup.ts";

const isAuto = process.argv.includes("--auto");
const isShown = process.argv.includes("--show");
const only = process.argv.find((argument) => argument.startsWith("--only="))?.slice(7);
const { folder, clips: all } = readClips();
const clips = all.filter(({ language }) => !only || language === only);
const engines = startEngines();
const signal = new AbortController().signal;
const expected: Record<string, string> = { en: "en-us", es: "es" };
const totals: Record<string, { errors: number; words: number; seconds: number; cpu: number; clips: number }> = {};
let right = 0;
let judged = 0;

// Two at once, so that both processes have loaded their models before anything is measured.
const warmUp = () =>
  transcribe(engines, { bytes: readFileSync(join(folder, clips[0]!.path)) }, { keyId: "bench" }, signal);
await Promise.all([warmUp(), warmUp()]);
for (const clip of clips) {
  if (!isAuto && !(clip.language in expected)) continue;
  const before = childCpuSeconds("moonshine", "silero");
  const bytes = readFileSync(join(folder, clip.path));
  const language = isAuto ? "auto" : clip.language;
  const heard = await transcribe(engines, { bytes, language }, { keyId: "bench" }, signal);
  const cpu = childCpuSeconds("moonshine", "silero") - before;
  const scored = clip.language in expected;
  const { errors, words } = scored ? countErrors(clip.transcript, heard.text, clip.language) : { errors: 0, words: 0 };
  totals[clip.language] ??= { errors: 0, words: 0, seconds: 0, cpu: 0, clips: 0 };
  const total = totals[clip.language]!;
  total.errors += errors;
  total.words += words;
  total.seconds += heard.durationMs / 1000;
  total.cpu += Math.max(0, cpu);
  total.clips += 1;
  if (isAuto && clip.seconds >= 3) {
    judged += 1;
    const wanted = expected[clip.language] ?? "und";
    if (heard.language === wanted) right += 1;
    else
      console.log(
        `  ${clip.path}: ${heard.language} instead of ${wanted} (${clip.language}): ${heard.text.slice(0, 60)}`,
      );
  }
  if (isShown && errors > 0)
    console.log(`  ${errors}/${words} ${clip.path}\n    said  ${clip.transcript}\n    heard ${heard.text}`);
}
for (const [language, total] of Object.entries(totals)) {
  const rate =
    total.words > 0 ? `${((100 * total.errors) / total.words).toFixed(1)} % of ${total.words} words wrong, ` : "";
  console.log(`${language}: ${rate}${total.clips} clips, ${(total.cpu / total.seconds).toFixed(3)} CPU s per audio s`);
}
if (isAuto) console.log(`language right: ${right} of ${judged} clips of 3 s and more`);
await engines.close();
