import { Problem } from "../../platform/errors.ts";
import { checkScript, dropForeignWords } from "./check-script.ts";
import { cleanText } from "./clean-text.ts";
import { PLAIN } from "./manner.ts";
import { readMarkdown } from "./read-markdown.ts";
import { isSsml, readSsml } from "./read-ssml.ts";
import { readAloud } from "./reading/read-aloud.ts";
import { type Piece, type SplitOptions, splitText } from "./split-text.ts";

/** From what somebody wrote to what is spoken, breath by breath: plain text, Markdown or SSML. Throws when there is nothing to
 *  pronounce. */
export function prepareText(text: string, language: string, options: SplitOptions = {}): Piece[] {
  const pieces = isSsml(text) ? prepareSsml(text, language, options) : preparePlain(text, language, options);
  if (!pieces.some(isSpoken)) throw new Problem("invalid_request", '"text" has nothing that can be pronounced.');
  return pieces;
}

function preparePlain(text: string, language: string, options: SplitOptions): Piece[] {
  const clean = cleanText(readMarkdown(text));
  checkScript(clean, language);
  return cut(clean, language, options);
}

function prepareSsml(text: string, language: string, options: SplitOptions): Piece[] {
  const stretches = readSsml(text, language);
  checkScript(cleanText(stretches.map((stretch) => stretch.text).join(" ")), language);
  const pieces: Piece[] = [];
  for (const { text: words, manner, pauseMs } of stretches) {
    const own = cut(cleanText(words), language, { isUrgent: options.isUrgent === true && pieces.length === 0 });
    pieces.push(...own.map((piece) => (manner === PLAIN ? piece : { ...piece, manner })));
    if (pauseMs === undefined || pauseMs === 0) continue;
    const last = pieces.pop() ?? { text: "", pauseMs: 0 };
    pieces.push({ ...last, pauseMs: last.pauseMs + pauseMs, isExactPause: true });
  }
  return pieces;
}

function cut(clean: string, language: string, options: SplitOptions): Piece[] {
  // Read first: the unit in "5 km" is Latin, the word it stands for is not.
  const spoken = dropForeignWords(readAloud(clean, language), language);
  return splitText(spoken, language, options).filter(isSpoken);
}

function isSpoken(piece: Piece): boolean {
  return /[\p{L}\p{N}]/u.test(piece.text);
}
