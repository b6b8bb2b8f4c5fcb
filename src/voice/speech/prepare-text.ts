import { Problem } from "../../platform/errors.ts";
import { checkScript, dropForeignWords } from "./check-script.ts";
import { cleanText } from "./clean-text.ts";
import { readAloud } from "./reading/read-aloud.ts";
import { type Piece, type SplitOptions, splitText } from "./split-text.ts";

/** From what somebody wrote to what is spoken, breath by breath. Throws when there is nothing to pronounce. */
export function prepareText(text: string, language: string, options: SplitOptions = {}): Piece[] {
  const clean = cleanText(text);
  checkScript(clean, language);
  // Read first: the unit in "5 km" is Latin, the word it stands for is not.
  const spoken = dropForeignWords(readAloud(clean, language), language);
  const pieces = splitText(spoken, language, options).filter((piece) => /[\p{L}\p{N}]/u.test(piece.text));
  if (pieces.length === 0) throw new Problem("invalid_request", '"text" has nothing that can be pronounced.');
  return pieces;
}
