/** How long the parts of one answer took, in milliseconds from the end of the caller's voice unless it says otherwise. */
export interface TurnLatency {
  /** Until the words were there. */
  readonly transcription: number | undefined;
  /** Until the turn counted as over. */
  readonly endOfTurn: number | undefined;
  /** From the first look at the words to the first word of the answer. */
  readonly firstToken: number | undefined;
  /** From the beginning of the answer to its first sound. */
  readonly firstSound: number | undefined;
  /** Until the first sound left this server. */
  readonly total: number;
}

/** Takes the times of a turn and tells them when its answer is heard. */
export class TurnClock {
  readonly #tell: (latency: TurnLatency) => void;
  #silentSinceMs: number | undefined;
  #wordsMs: number | undefined;
  #endMs: number | undefined;
  readonly #answers = new Map<number, { beganMs?: number; tokenMs?: number; soundMs?: number }>();

  constructor(tell: (latency: TurnLatency) => void) {
    this.#tell = tell;
  }

  silentSince(atMs: number): void {
    this.#silentSinceMs = atMs;
    this.#endMs = undefined;
  }

  wordsCame(): void {
    this.#wordsMs = performance.now();
  }

  turnEnded(): void {
    this.#endMs = performance.now();
  }

  answerBegan(reply: number): void {
    this.#answer(reply).beganMs ??= performance.now();
  }

  firstToken(reply: number): void {
    this.#answer(reply).tokenMs ??= performance.now();
  }

  firstSound(reply: number): void {
    this.#answer(reply).soundMs ??= performance.now();
  }

  /** Only the first answer of a turn is an answer to the caller's silence. */
  audible(reply: number): void {
    const since = this.#silentSinceMs;
    const { beganMs, tokenMs, soundMs } = this.#answer(reply);
    this.#answers.clear();
    this.#silentSinceMs = undefined;
    if (since === undefined) return;
    const from = (start: number | undefined, end: number | undefined) =>
      start === undefined || end === undefined ? undefined : end - start;
    this.#tell({
      transcription: from(since, this.#wordsMs),
      endOfTurn: from(since, this.#endMs),
      firstToken: from(beganMs, tokenMs),
      firstSound: from(beganMs, soundMs),
      total: performance.now() - since,
    });
  }

  forget(reply: number): void {
    this.#answers.delete(reply);
  }

  #answer(reply: number): { beganMs?: number; tokenMs?: number; soundMs?: number } {
    let answer = this.#answers.get(reply);
    if (!answer) {
      answer = {};
      this.#answers.set(reply, answer);
    }
    return answer;
  }
}
