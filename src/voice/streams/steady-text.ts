/** Turns guesses at a growing utterance into text that does not flicker: words are shown once two guesses agree on them, and
 *  what is shown changes only when two guesses agree that it was wrong. */
export class SteadyText {
  #shown: string[] = [];
  #before: string[] | undefined;

  /** The text to show after another guess. */
  update(guess: string): string {
    const words = guess.split(/\s+/).filter(Boolean);
    const before = this.#before;
    this.#before = words;
    // The first guess is shown at once, but for the word that the speaker may still be in.
    const agreed = before ? words.slice(0, commonLength(before, words)) : words.slice(0, Math.max(1, words.length - 1));
    const isContinued = commonLength(this.#shown, agreed) === Math.min(this.#shown.length, agreed.length);
    if (agreed.length >= this.#shown.length || !isContinued) {
      if (agreed.length > 0) this.#shown = agreed;
    }
    return this.text;
  }

  get text(): string {
    // A mark after the last word belongs to an end that has not come yet.
    return this.#shown.join(" ").replace(/[.,;:!?…]+$/, "");
  }
}

function commonLength(a: readonly string[], b: readonly string[]): number {
  let length = 0;
  while (length < a.length && length < b.length && bare(a[length]!) === bare(b[length]!)) length += 1;
  return length;
}

function bare(word: string): string {
  return word.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");
}
