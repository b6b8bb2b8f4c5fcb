import { expect, it } from "vitest";
import { readPhonemes } from "./read-phonemes.ts";

it("words and phonemes are told apart, clause marks and language switches are no sounds", () => {
  expect(readPhonemes("h_ə_l_ˈoʊ dʒ_ˈɔɪ | (en)_j_ˈɛ_s_(de) ")).toEqual([
    ["h", "ə", "l", "ˈoʊ"],
    ["dʒ", "ˈɔɪ"],
    ["j", "ˈɛ", "s"],
  ]);
  expect(readPhonemes("")).toEqual([]);
  expect(readPhonemes(" | ")).toEqual([]);
});
