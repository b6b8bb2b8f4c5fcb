import { list, Problem } from "../../platform/errors.ts";
import type { ChatUsage } from "../../ports/chat-engine.ts";
import type { LanguageDetector } from "../../ports/language-detector.ts";
import type { Direction, TranslationEngine } from "../../ports/translation-engine.ts";
import { findCode, languageName } from "../languages.ts";

export interface TranslatingParts {
  readonly translation: TranslationEngine;
  readonly detector: LanguageDetector;
}

/** A translation as somebody wants it. Other slices (dubbing, calls) ask the same way. */
export interface TranslationWanted {
  readonly text: string;
  readonly target: string;
  /** A code, or `auto`. */
  readonly source?: string | undefined;
}

export interface Translation {
  readonly text: string;
  readonly source: string;
  readonly target: string;
  readonly quality: Direction["quality"];
  readonly usage: ChatUsage;
  /** For `model` in replies: ours, and what stood behind it after a slash. */
  readonly model: string;
}

const MODEL = "svc-translate-1";
/** Of a code that does not exist, as much as a person needs to recognise it. */
const longestShown = 40;
const nothing: ChatUsage = { inputTokens: 0, outputTokens: 0, cachedTokens: null };

/** Translates, or says which directions work. */
export async function translate(
  { translation, detector }: TranslatingParts,
  wanted: TranslationWanted,
  turn: { key: string; flow: string },
  signal: AbortSignal,
): Promise<Translation> {
  const found = await findSource(translation, detector, wanted, turn, signal);
  const { source, target, isSame, direction } = getDirection(translation, found, wanted.target);
  const told = asAskedFor(wanted.target, target);
  if (isSame) return { text: wanted.text, source, target: told, quality: "good", usage: nothing, model: MODEL };
  const done = await translation.translate({ text: wanted.text, source, target, ...turn }, signal);
  const engine = done.engine ?? translation.modelName;
  return {
    text: done.text,
    source,
    target: told,
    quality: done.quality ?? direction?.quality ?? "good",
    usage: done.usage,
    model: engine ? `${MODEL}/${engine}` : MODEL,
  };
}

/** The codes of the engine for two languages. Throws a 400 that says what works when there is no way between them. */
export function getDirection(translation: TranslationEngine, from: string, into: string) {
  const source = findCode(allCodes(translation, "source"), from) ?? normalize(from);
  const target = findCode(allCodes(translation, "target"), into) ?? normalize(into);
  // Codes go into records and replies: only those of languages may.
  if (!isKnown(source) || !isKnown(target)) throw refuse(translation, source, target);
  const isSame = target === source || (base(target) === base(source) && base(target) !== "pt");
  const direction = translation.directions().find((one) => one.source === source && one.target === target);
  if (!isSame && !direction && !translation.takesAnyDirection) throw refuse(translation, source, target);
  return { source, target, isSame, direction };
}

/** British English is an entry of the catalog, and who asks for it is told so; engines know one written English. */
function asAskedFor(wanted: string, target: string): string {
  return normalize(wanted) === "en-gb" && base(target) === "en" ? "en-gb" : target;
}

async function findSource(
  engine: TranslationEngine,
  detector: LanguageDetector,
  { text, source = "auto" }: TranslationWanted,
  turn: { key: string; flow: string },
  signal: AbortSignal,
): Promise<string> {
  const codes = allCodes(engine, "source");
  if (normalize(source) !== "auto") return findCode(codes, source) ?? normalize(source);
  const detected = await detector.detect(text, turn, signal);
  if (!detected) {
    throw new Problem("invalid_request", 'The language of the text cannot be told. Name it in "source_language".');
  }
  return findCode(codes, detected.language) ?? detected.language;
}

function refuse(engine: TranslationEngine, source: string, target: string): Problem {
  const directions = engine.directions();
  if (directions.length === 0) {
    return new Problem("engine_unavailable", engine.missing?.() ?? "No translation engine is available.");
  }
  const from = directions.filter((one) => one.source === source).map((one) => one.target);
  const hint =
    from.length > 0
      ? `From ${languageName(source)} into: ${list(from)}.`
      : `Directions: ${list(describe(directions), 200)}.`;
  const missing = engine.missing?.();
  const other = "Others can be added with the setting SVC_TRANSLATION_ENGINE (openai:http://host/v1#model).";
  const name = (code: string) => (isKnown(code) ? languageName(code) : `"${code.slice(0, longestShown)}"`);
  return new Problem(
    "invalid_request",
    `There is no translation from ${name(source)} into ${name(target)} here. ${hint} ${other}${missing ? ` ${missing}` : ""}`,
  );
}

/** "es → ca, en-us, fr": one entry for each language there is a way from. */
function describe(directions: readonly Direction[]): string[] {
  const targets = new Map<string, string[]>();
  for (const { source, target } of directions) targets.set(source, [...(targets.get(source) ?? []), target]);
  return [...targets].map(([source, into]) => `${source} into ${into.join(" ")}`);
}

function allCodes(engine: TranslationEngine, side: "source" | "target"): string[] {
  return [...new Set(engine.directions().map((direction) => direction[side]))];
}

function normalize(code: string): string {
  return code.trim().toLowerCase().replaceAll("_", "-");
}

function base(code: string): string {
  return code.split("-")[0]!;
}

function isKnown(code: string): boolean {
  return /^[a-z]{2,3}(-[a-z]{4})?(-[a-z]{2}|-\d{3})?$/.test(code) && languageName(code) !== base(code);
}
