const OPEN = "<think>";
const CLOSE = "</think>";

/** Passes an answer on without what the model thinks aloud before it. */
export class ThoughtSkipper {
  #held = "";
  #state: "beginning" | "thinking" | "answering";

  /** `isThinking`: the template itself began the thought. */
  constructor(isThinking: boolean) {
    this.#state = isThinking ? "thinking" : "beginning";
  }

  push(text: string): string {
    if (this.#state === "answering") return text;
    this.#held += text;
    if (this.#state === "beginning") {
      const begun = this.#held.trimStart();
      if (begun.startsWith(OPEN)) this.#state = "thinking";
      else if (OPEN.startsWith(begun)) return "";
      else return this.#answer(this.#held);
    }
    const end = this.#held.indexOf(CLOSE);
    if (end < 0) return "";
    const rest = this.#held.slice(end + CLOSE.length).trimStart();
    if (rest === "") {
      this.#held = CLOSE;
      return "";
    }
    return this.#answer(rest);
  }

  /** What was held back in case it became a thought. */
  end(): string {
    return this.#state === "beginning" ? this.#answer(this.#held) : "";
  }

  #answer(text: string): string {
    this.#state = "answering";
    this.#held = "";
    return text;
  }
}
