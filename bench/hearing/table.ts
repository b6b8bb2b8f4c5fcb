// Words and characters wrong for every recogniser of this machine, by language, in one table: as we run them, pinned and with `auto`
// (Moonshine hears English and Spanish, Whisper base or small the rest), and Whisper as it is shipped, run in the plain way.
// For `auto` it says which languages were told.
// Each clip that was heard is a line of the cache, so that a run may be stopped and goes on where it was.
//   npm run bench -- hearing/table --cache=FILE [--columns=small,base-auto] [--only=de,fr] [--clips=4]
import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { WhisperModel } from "../../src/adapters/engines/whisper/model.ts";
import { readCatalog } from "../../src/adapters/models/catalog.ts";
import { createModelStore } from "../../src/adapters/models/model-folder.ts";
import { resample } from "../../src/audio/resample.ts";
import { readWav } from "../../src/audio/wav.ts";
import { readSettings } from "../../src/platform/settings/settings.ts";
import { transcribe } from "../../src/voice/transcription/transcribe.ts";
import { openPlainWhisper } from "./plain-whisper.ts";
import { codeOfClip, countCharacterErrors, countErrors } from "./score.ts";
import { type Clip, childCpuSeconds, flagOf, readClips, startEngines } from "./setup.ts";
import { noTotal, printTotals, type Total } from "./totals.ts";

const allColumns = ["small", "small-auto", "base", "base-auto", "plain-base", "plain-small"] as const;
type Column = (typeof allColumns)[number];
interface Result {
  readonly column: Column;
  readonly path: string;
  readonly text: string;
  readonly language: string;
  readonly cpu: number;
}
type Hear = (clip: Clip) => Promise<Pick<Result, "text" | "language">>;

const columns = (flagOf("columns")?.split(",") ?? allColumns) as readonly Column[];
const only = flagOf("only")?.split(",");
const most = Number(flagOf("clips") ?? 1000);
const cache = flagOf("cache");
const languages = ["en", "es", "de", "nl", "fr", "pt", "it", "ru", "ar", "sv-SE", "tr"];
const { folder, clips: all } = readClips();
/** The plain runner has one window of 30 s. */
const clips = languages
  .filter((language) => !only || only.includes(language))
  .flatMap((language) => all.filter((clip) => clip.language === language && clip.seconds < 29).slice(0, most));
const results: Result[] = cache && existsSync(cache) ? readFileSync(cache, "utf8").trim().split("\n").map(parse) : [];
const signal = new AbortController().signal;

for (const column of columns) {
  const left = clips.filter(({ path }) => !results.some((one) => one.column === column && one.path === path));
  if (left.length > 0) await hearAll(column, left);
}
for (const column of columns) printColumn(column);
process.exit(0);

function parse(line: string): Result {
  return JSON.parse(line) as Result;
}

async function hearAll(column: Column, left: readonly Clip[]): Promise<void> {
  const hear = await open(column);
  // Languages have recognisers of their own, whose models are loaded before anything is measured.
  for (const clip of new Set([left[0]!, left.at(-1)!])) await hear(clip);
  for (const clip of left) {
    const before = cpuSeconds();
    const { text, language } = await hear(clip);
    const result = { column, path: clip.path, text, language, cpu: cpuSeconds() - before };
    results.push(result);
    if (cache) appendFileSync(cache, `${JSON.stringify(result)}\n`);
  }
}

async function open(column: Column): Promise<Hear> {
  const size = column.includes("base") ? "base" : "small";
  if (column.startsWith("plain")) {
    const models = createModelStore(readSettings(process.env).storage.modelsDir, readCatalog());
    const ours = await WhisperModel.load(models.folder(`whisper-${size}`), 1);
    const plain = await openPlainWhisper(models.folder(`whisper-${size}`), ours);
    return async ({ path, language }) => {
      const { samples, sampleRateHz } = readWav(readFileSync(join(folder, path)))!;
      return { text: await plain(resample(samples, sampleRateHz, 16_000), baseOf(language)), language };
    };
  }
  const engines = startEngines({ SVC_HEARING_SIZE: size });
  return async (clip) => {
    const language = column.endsWith("auto") ? "auto" : codeOfClip(clip.language);
    const bytes = readFileSync(join(folder, clip.path));
    return transcribe(engines, { bytes, language }, { workspaceId: "w", keyId: "bench" }, signal);
  };
}

/** Of the engines' processes, or of this one where the plain runner runs in it. */
function cpuSeconds(): number {
  const { user, system } = process.cpuUsage();
  return childCpuSeconds("moonshine", "whisper", "silero") + (user + system) / 1e6;
}

function printColumn(column: Column): void {
  console.log(`\n${column}`);
  const totals = languages.map((language) => [language, totalOf(column, language)] as const);
  printTotals(Object.fromEntries(totals.filter(([, { clips: heard }]) => heard > 0)));
  if (column.endsWith("auto")) for (const language of languages) printTold(column, language);
}

/** What the clips of a language were taken for. */
function printTold(column: Column, language: string): void {
  const heard = resultsOf(column, language);
  const wrong = heard.filter(({ result }) => baseOf(result.language) !== baseOf(language));
  const taken = wrong.map(({ result, clip }) => `${result.language} (${clip.seconds} s)`).join(", ");
  console.log(`${language} told: ${heard.length - wrong.length} of ${heard.length}${taken && `; others: ${taken}`}`);
}

function resultsOf(column: Column, language: string): { clip: Clip; result: Result }[] {
  return clips.flatMap((clip) => {
    const result = results.find((one) => one.column === column && one.path === clip.path);
    return clip.language === language && result ? [{ clip, result }] : [];
  });
}

function baseOf(language: string): string {
  return language.split("-")[0]!;
}

function totalOf(column: Column, language: string): Total {
  const total = noTotal();
  for (const { clip, result } of resultsOf(column, language)) {
    const { errors, words } = countErrors(clip.transcript, result.text, language);
    const letters = countCharacterErrors(clip.transcript, result.text, language);
    total.errors += errors;
    total.words += words;
    total.wrongCharacters += letters.errors;
    total.characters += letters.characters;
    total.seconds += clip.seconds;
    total.cpu += result.cpu;
    total.clips += 1;
  }
  return total;
}
