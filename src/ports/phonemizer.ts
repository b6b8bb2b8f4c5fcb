/** Says how text is pronounced, in the International Phonetic Alphabet. */
export interface Phonemizer {
  /** One answer for each text: its words, each a list of phonemes with stress marks in front ("ˈaɪ").
   *  Numbers are read as the language reads them. A text without words gives an empty list. */
  phonemize(texts: readonly string[], language: string, job: PhonemizeJob): Promise<readonly Pronunciation[]>;
}

export type Pronunciation = readonly (readonly string[])[];

export interface PhonemizeJob {
  readonly key: string;
  readonly flow: string;
  readonly signal: AbortSignal;
}
