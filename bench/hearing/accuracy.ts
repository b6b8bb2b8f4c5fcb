// Words and characters wrong per language, wrong languages, and CPU per second of audio, on human speech.
//   npm run bench -- hearing/accuracy [--auto] [--show] [--only=de,fr] [--clips=4] [--size=base]
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { transcribe } from "../../src/voice/transcription/transcribe.ts";
import { codeOfClip, countCharacterErrors, countErrors } from "./score.ts";
import { childCpuSeconds, childMegabytes, flagOf, readClips, startEngines } from "./setup.ts";
import { noTotal, printTotals, type Total } from "./totals.ts";

const isAuto = process.argv.includes("--auto");
const isShown = process.argv.includes("--show");
const only = flagOf("only")?.split(",");
const most = Number(flagOf("clips") ?? 1000);
const { folder, clips: all } = readClips();
const seen: Record<string, number> = {};
const clips = all.filter(({ language }) => {
  seen[language] = (seen[language] ?? 0) + 1;
  return (!only || only.includes(language)) && seen[language]! <= most;
});
const engines = startEngines({ SVC_HEARING_SIZE: flagOf("size") ?? "small" });
const signal = new AbortController().signal;
const processes = ["moonshine", "whisper", "silero"];
const totals: Record<string, Total> = {};
let right = 0;
let judged = 0;

// Two at once, so that both processes have loaded their models before anything is measured.
const warmUp = (language: string) =>
  transcribe(
    engines,
    { bytes: readFileSync(join(folder, clips[0]!.path)), language },
    { workspaceId: "w", keyId: "bench" },
    signal,
  );
await Promise.all(["en", "en", "de"].map(warmUp));
for (const clip of clips) {
  const code = codeOfClip(clip.language);
  const isKnown = engines.transcription.languages().includes(code);
  if (!isAuto && !isKnown) continue;
  const before = childCpuSeconds(...processes);
  const bytes = readFileSync(join(folder, clip.path));
  const heard = await transcribe(
    engines,
    { bytes, language: isAuto ? "auto" : code },
    { workspaceId: "w", keyId: "bench" },
    signal,
  );
  const cpu = childCpuSeconds(...processes) - before;
  const scored = isKnown ? countErrors(clip.transcript, heard.text, clip.language) : { errors: 0, words: 0 };
  const letters = isKnown
    ? countCharacterErrors(clip.transcript, heard.text, clip.language)
    : { errors: 0, characters: 0 };
  totals[clip.language] ??= noTotal();
  const total = totals[clip.language]!;
  total.errors += scored.errors;
  total.words += scored.words;
  total.wrongCharacters += letters.errors;
  total.characters += letters.characters;
  total.seconds += heard.durationMs / 1000;
  total.cpu += Math.max(0, cpu);
  total.clips += 1;
  if (isAuto && clip.seconds >= 3) {
    judged += 1;
    const wanted = isKnown ? code : "und";
    if (heard.language === wanted) right += 1;
    else console.log(`  ${clip.path}: ${heard.language} instead of ${wanted}: ${heard.text.slice(0, 60)}`);
  }
  if (isShown && scored.errors > 0)
    console.log(
      `  ${scored.errors}/${scored.words} ${clip.path}\n    said  ${clip.transcript}\n    heard ${heard.text}`,
    );
}
printTotals(totals);
if (isAuto) console.log(`language right: ${right} of ${judged} clips of 3 s and more`);
console.log(`memory of whisper's process: ${childMegabytes("whisper")} MB`);
await engines.close();
