/** Turns tokens into text that can be shown at once: whole characters, nothing of a stop text, no blanks at either end. */
export class TextStream {
  isStopped = false;
  /** The stop text that ended it. */
  stoppedBy: string | undefined;
  readonly #detokenize: (tokens: number[], before: number[]) => string;
  readonly #stops: readonly string[];
  #before: number[];
  #pending: number[] = [];
  #held = "";
  #hasBegun = false;

  constructor(
    detokenize: (tokens: number[], before: number[]) => string,
    stops: readonly string[],
    before: readonly number[],
  ) {
    this.#detokenize = detokenize;
    this.#stops = stops.filter((stop) => stop !== "");
    this.#before = before.slice(-8);
  }

  /** What can be shown after this token; often nothing. */
  push(token: number): string {
    if (this.isStopped) return "";
    this.#pending.push(token);
    const text = this.#detokenize(this.#pending, this.#before);
    // A character may be spread over up to four tokens of one byte each.
    if (text.endsWith("\uFFFD") && this.#pending.length < 4) return "";
    this.#before = [...this.#before, ...this.#pending].slice(-8);
    this.#pending = [];
    this.#held += text;
    return this.#release();
  }

  /** What was held back in case more came. */
  end(): string {
    if (this.isStopped) return "";
    const rest = this.#held.trimEnd();
    this.#held = "";
    return this.#hasBegun ? rest : rest.trimStart();
  }

  #release(): string {
    const stopAt = firstOf(this.#held, this.#stops);
    if (stopAt >= 0) {
      const text = this.#held.slice(0, stopAt).trimEnd();
      this.isStopped = true;
      this.stoppedBy = this.#stops.find((stop) => this.#held.startsWith(stop, stopAt));
      this.#held = "";
      return this.#hasBegun ? text : text.trimStart();
    }
    const safe = this.#held.length - longestBeginning(this.#held, this.#stops);
    let text = this.#held.slice(0, safe).trimEnd();
    this.#held = this.#held.slice(text.length);
    if (!this.#hasBegun) {
      text = text.trimStart();
      if (text === "") this.#held = this.#held.trimStart();
    }
    this.#hasBegun ||= text !== "";
    return text;
  }
}

function firstOf(text: string, stops: readonly string[]): number {
  const places = stops.map((stop) => text.indexOf(stop)).filter((place) => place >= 0);
  return places.length > 0 ? Math.min(...places) : -1;
}

/** How many characters at the end of a text might be the beginning of a stop. */
function longestBeginning(text: string, stops: readonly string[]): number {
  let longest = 0;
  for (const stop of stops) {
    for (let size = Math.min(stop.length - 1, text.length); size > longest; size--) {
      if (stop.startsWith(text.slice(-size))) longest = size;
    }
  }
  return longest;
}
