import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { RULES } from "./files.ts";

const rulesFile = z.object({
  /** Token of each language, as `<|de|>`. */
  lang_to_id: z.record(z.string(), z.int()),
  /** Tokens that are never said: marks of music, speakers and the like. */
  suppress_tokens: z.array(z.int()),
  /** Layer and head of the decoder that follow the speech. */
  alignment_heads: z.array(z.tuple([z.int(), z.int()])),
});

export interface WhisperRules {
  /** Codes of Whisper's languages, in the order of `languageTokens`. */
  readonly languages: readonly string[];
  readonly languageTokens: readonly number[];
  readonly forbidden: readonly number[];
  readonly alignmentHeads: readonly (readonly [layer: number, head: number])[];
}

/** What comes with the weights and is the same in both graphs and in the code that runs them. */
export async function readRules(folder: string): Promise<WhisperRules> {
  const rules = rulesFile.parse(JSON.parse(await readFile(join(folder, RULES), "utf8")));
  return {
    languages: Object.keys(rules.lang_to_id).map((name) => name.slice(2, -2)),
    languageTokens: Object.values(rules.lang_to_id),
    forbidden: rules.suppress_tokens,
    alignmentHeads: rules.alignment_heads,
  };
}
