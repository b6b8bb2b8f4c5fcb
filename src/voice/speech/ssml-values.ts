import { list, Problem } from "../../platform/errors.ts";
import { type Manner, PLAIN } from "./manner.ts";

/** Longer silences are what a client can make by itself. */
const MOST_BREAK_MS = 10_000;
/** As other services that read SSML take them, by ear; a guess. */
const STRENGTHS_MS: Readonly<Record<string, number>> = {
  none: 0,
  "x-weak": 80,
  weak: 150,
  medium: 300,
  strong: 600,
  "x-strong": 1000,
};

/** How words are stressed: a little slower, higher and louder. Guesses within what manners may do. */
const EMPHASES: Readonly<Record<string, Partial<Manner>>> = {
  strong: { rate: 0.88, pitchSemitones: 1.5, energyDecibels: 3 },
  moderate: { rate: 0.94, pitchSemitones: 0.8, energyDecibels: 1.5 },
  none: {},
  reduced: { rate: 1.08, pitchSemitones: -0.8, energyDecibels: -2 },
};
const RATES: Readonly<Record<string, number>> = {
  "x-slow": 0.7,
  slow: 0.85,
  medium: 1,
  default: 1,
  fast: 1.18,
  "x-fast": 1.4,
};
const PITCHES: Readonly<Record<string, number>> = {
  "x-low": -4,
  low: -2,
  medium: 0,
  default: 0,
  high: 2,
  "x-high": 4,
};
const VOLUMES: Readonly<Record<string, number>> = {
  "x-soft": -8,
  soft: -4,
  medium: 0,
  default: 0,
  loud: 2,
  "x-loud": 4,
};

export function readBreak({ time, strength, ...others }: Record<string, string>): number {
  refuseOthers("break", others, ["time", "strength"]);
  if (time === undefined) return named("break", "strength", strength ?? "medium", STRENGTHS_MS);
  const match = /^\+?(\d{1,6}(?:\.\d{1,3})?)(ms|s)$/u.exec(time.trim());
  const ms = match ? Number(match[1]) * (match[2] === "s" ? 1000 : 1) : Number.NaN;
  if (!(ms <= MOST_BREAK_MS)) wrong("break", "time", time, 'a time up to 10s, such as "500ms" or "1.5s"');
  return ms;
}

export function readEmphasis({ level = "moderate", ...others }: Record<string, string>): Manner {
  refuseOthers("emphasis", others, ["level"]);
  return { ...PLAIN, ...named("emphasis", "level", level, EMPHASES) };
}

export function readProsody({ rate, pitch, volume, ...others }: Record<string, string>): Manner {
  refuseOthers("prosody", others, ["rate", "pitch", "volume"]);
  return {
    ...PLAIN,
    ...(rate === undefined ? {} : { rate: readRate(rate.trim()) }),
    ...(pitch === undefined ? {} : { pitchSemitones: readPitch(pitch.trim()) }),
    ...(volume === undefined ? {} : { energyDecibels: readVolume(volume.trim()) }),
  };
}

/** "slow", "80%", "+20%", "1.2". */
function readRate(value: string): number {
  const match = /^([+-]?)(\d{1,3}(?:\.\d{1,3})?)(%?)$/u.exec(value);
  if (!match) return named("prosody", "rate", value, RATES);
  const [, sign, digits, percent] = match;
  const part = percent ? Number(digits) / 100 : Number(digits);
  const rate = sign === "" ? part : 1 + (sign === "-" ? -part : part);
  if (rate <= 0) wrong("prosody", "rate", value, "more than nothing");
  return rate;
}

/** "high", "+2st", "-10%". */
function readPitch(value: string): number {
  const match = /^([+-])(\d{1,2}(?:\.\d{1,3})?)(st|%)$/u.exec(value);
  if (!match) return named("prosody", "pitch", value, PITCHES);
  const amount = Number(match[2]) * (match[1] === "-" ? -1 : 1);
  return match[3] === "st" ? amount : 12 * Math.log2(1 + amount / 100);
}

/** "loud", "+3dB". */
function readVolume(value: string): number {
  const match = /^([+-]\d{1,2}(?:\.\d{1,3})?)dB$/u.exec(value);
  return match ? Number(match[1]) : named("prosody", "volume", value, VOLUMES);
}

function named<Value>(tag: string, attribute: string, value: string, values: Readonly<Record<string, Value>>): Value {
  if (!Object.hasOwn(values, value)) wrong(tag, attribute, value, `one of: ${list(Object.keys(values))}`);
  return values[value]!;
}

function refuseOthers(tag: string, others: Record<string, string>, known: readonly string[]): void {
  const [other] = Object.keys(others);
  if (other === undefined) return;
  throw new Problem("invalid_request", `SSML: <${tag}> has no "${other.slice(0, 40)}" here, only: ${list(known)}.`);
}

function wrong(tag: string, attribute: string, value: string, right: string): never {
  throw new Problem("invalid_request", `SSML: ${attribute}="${value.slice(0, 40)}" of <${tag}> must be ${right}.`);
}
