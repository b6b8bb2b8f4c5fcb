import { SaxesParser, type SaxesTagPlain } from "saxes";
import { list, Problem } from "../../platform/errors.ts";
import { writeInlinePronunciation } from "../../ports/inline-pronunciation.ts";
import { combineManners, type Manner, PLAIN } from "./manner.ts";
import { SAY_AS, sayAs } from "./say-as.ts";
import { readBreak, readEmphasis, readProsody } from "./ssml-values.ts";

/** A stretch of text that is said in one manner, and the silence after it. */
export interface SpokenStretch {
  readonly text: string;
  readonly manner: Manner;
  /** Undefined where the text only goes on in another manner. */
  readonly pauseMs: number | undefined;
}

const TAGS = ["speak", "p", "s", "break", "emphasis", "prosody", "say-as", "sub", "phoneme"];
const PAUSE_MS = { p: 600, s: 320 } as const;
/** Deeper nesting has no meaning a voice could give it. */
const MOST_DEPTH = 20;

export function isSsml(text: string): boolean {
  return /^\s*(?:<\?xml[^>]*>\s*)?<speak[\s>/]/u.test(text);
}

/** Reads SSML (W3C 1.1, the part that is named in TAGS). Anything else in it is refused by its name. */
export function readSsml(text: string, language: string): SpokenStretch[] {
  const stretches: { text: string; manner: Manner; pauseMs: number | undefined }[] = [];
  const open: { tag: SaxesTagPlain; manner: Manner; said: string }[] = [];
  const parser = new SaxesParser();

  const say = (words: string) => {
    const manner = open.at(-1)!.manner;
    const last = stretches.at(-1);
    if (last && last.pauseMs === undefined && last.manner === manner) last.text += words;
    else if (words.trim() !== "") stretches.push({ text: words, manner, pauseMs: undefined });
  };
  const pause = (ms: number) => {
    const last = stretches.at(-1);
    // Silence before the first word is silence all the same.
    if (last) last.pauseMs = (last.pauseMs ?? 0) + ms;
    else if (ms > 0) stretches.push({ text: "", manner: PLAIN, pauseMs: ms });
  };

  parser.on("doctype", () => refuse("SSML must not have a document type."));
  parser.on("opentag", (tag) => {
    if (!TAGS.includes(tag.name)) refuse(`SSML: <${tag.name.slice(0, 40)}> is not known here. Tags: ${list(TAGS)}.`);
    if (open.length === 0 && tag.name !== "speak") refuse("SSML begins with <speak>.");
    if (open.length > 0 && tag.name === "speak") refuse("SSML: <speak> stands only at the beginning.");
    if (open.length >= MOST_DEPTH) refuse(`SSML: tags may be nested ${MOST_DEPTH} deep.`);
    const outer = open.at(-1)?.manner ?? PLAIN;
    const attributes = tag.attributes as Record<string, string>;
    const own =
      tag.name === "prosody" ? readProsody(attributes) : tag.name === "emphasis" ? readEmphasis(attributes) : undefined;
    if (tag.name === "say-as" && !SAY_AS.includes(attributes["interpret-as"] ?? "")) {
      refuse(`SSML: <say-as> needs interpret-as, one of: ${list(SAY_AS)}.`);
    }
    if (tag.name === "sub" && !attributes.alias?.trim()) refuse("SSML: <sub> needs an alias.");
    if (tag.name === "phoneme" && !attributes.ph?.trim())
      refuse("SSML: <phoneme> needs ph, in the International Phonetic Alphabet.");
    if (tag.name in PAUSE_MS && stretches.length > 0) pause(stretches.at(-1)!.pauseMs === undefined ? PAUSE_MS.s : 0);
    open.push({ tag, manner: own ? combineManners([outer, own]) : outer, said: "" });
    if (tag.name === "break") pause(readBreak(attributes));
  });
  parser.on("text", (words) => {
    const inside = open.at(-1);
    if (!inside) return;
    if (["say-as", "sub", "phoneme"].includes(inside.tag.name)) inside.said += words;
    else say(words);
  });
  parser.on("cdata", (words) => open.length > 0 && say(words));
  parser.on("closetag", () => {
    const { tag, said } = open.at(-1)!;
    const { alias, ph, ...attributes } = tag.attributes as Record<string, string>;
    if (tag.name === "sub") say(alias!);
    if (tag.name === "phoneme") say(writeInlinePronunciation(said.trim(), ph!.trim().replace(/^\/|\/$/gu, "")));
    if (tag.name === "say-as") say(sayAs(said.trim(), attributes as Record<string, string>, language));
    if (tag.name === "p" || tag.name === "s") pause(PAUSE_MS[tag.name]);
    open.pop();
  });
  parser.on("error", (error) => refuse(`SSML is not well-formed XML: ${error.message.replace(/^\d+:\d+: /u, "")}`));
  parser.write(text.trim()).close();
  return stretches;
}

function refuse(message: string): never {
  throw new Problem("invalid_request", message.endsWith(".") ? message : `${message}.`);
}
