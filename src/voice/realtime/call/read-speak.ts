import { fitCharacters } from "../../../platform/characters.ts";

const longestText = 3000;

/** What a `speak` message wants, or what is wrong with it. */
export function readSpeak(data: unknown): { text: string; isInterrupting: boolean } | string {
  const { text, interrupt } = (typeof data === "object" && data !== null ? data : {}) as Record<string, unknown>;
  if (typeof text !== "string" || text.trim() === "") return '"text" must be a text that is not empty.';
  if (!fitCharacters([text], longestText)) {
    return `"text" must have at most ${longestText} characters.`;
  }
  if (interrupt !== undefined && typeof interrupt !== "boolean") return '"interrupt" must be true or false.';
  return { text, isInterrupting: interrupt === true };
}
