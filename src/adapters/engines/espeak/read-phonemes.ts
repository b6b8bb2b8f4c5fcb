/** espeak-ng's line ("h_ə_l_ˈoʊ w_ˈɜː_l_d | (en)_j_ˈɛ_s_(de)") as words of phonemes. */
export function readPhonemes(line: string): string[][] {
  return line
    .replace(/\([a-z][a-z0-9-]*\)/gi, " ") // it switched the language of a foreign word, which is not a sound
    .split(/[\s|]+/u)
    .map((word) => word.split("_").filter((phoneme) => phoneme !== ""))
    .filter((word) => word.length > 0);
}
