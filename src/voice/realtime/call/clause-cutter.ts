/** The first clause may be short, so that the voice starts soon; a word or two would sound cut off. */
const fewestFirst = 18;
/** Later there is time: whole sentences sound better. */
const fewestLater = 40;
/** Beyond this a sentence is cut where it can be. */
const longEnough = 160;
const sentenceEnd = /[.?!।。؟…]["'”’»)]*\s/gu;
const clauseEnd = /[,;:—–،؛]["'”’»)]*\s/gu;
/** A full stop after these ends no sentence. */
const abbreviation = /(?:^|[\s(])(?:\p{L}|\d+|mr|mrs|ms|dr|prof|st|vs|etc|e\.g|i\.e|no|sr|sra|bzw|z\.b|nr)\.$/iu;

/** Cuts a text that is still being written into stretches that can be spoken. */
export class ClauseCutter {
  #text = "";
  #isFirst = true;

  /** What can be spoken now. */
  push(delta: string): string[] {
    this.#text += delta;
    const clauses: string[] = [];
    for (let end = this.#findEnd(); end > 0; end = this.#findEnd()) clauses.push(...this.#take(end));
    return clauses;
  }

  /** The rest, when nothing more is written. */
  end(): string[] {
    return this.#take(this.#text.length);
  }

  #take(end: number): string[] {
    const clause = this.#text.slice(0, end).trim();
    this.#text = this.#text.slice(end);
    if (clause === "") return [];
    this.#isFirst = false;
    return [clause];
  }

  #findEnd(): number {
    const fewest = this.#isFirst ? fewestFirst : fewestLater;
    const paragraph = this.#text.search(/\S\s*\n/) + 1;
    const sentence = this.#find(sentenceEnd, fewest);
    if (paragraph > 0 && (sentence === 0 || paragraph < sentence)) return paragraph;
    if (sentence > 0) return sentence;
    return this.#isFirst || this.#text.length > longEnough ? this.#find(clauseEnd, fewest) : 0;
  }

  #find(mark: RegExp, fewest: number): number {
    for (const match of this.#text.matchAll(mark)) {
      const end = match.index + match[0].length;
      const before = this.#text.slice(0, end).trimEnd();
      if (before.trimStart().length >= fewest && !abbreviation.test(before)) return end;
    }
    return 0;
  }
}
