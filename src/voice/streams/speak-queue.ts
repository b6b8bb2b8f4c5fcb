import { Problem } from "../../platform/errors.ts";

export interface Speak {
  readonly id: string | number;
  readonly text: string;
}

const mostWaiting = 200;
const mostWaitingLetters = 60_000;

/** Texts that are spoken one after the other. */
export class SpeakQueue {
  readonly #speak: (speak: Speak, signal: AbortSignal) => Promise<void>;
  readonly #waiting: Speak[] = [];
  #current: { id: string | number; abort: AbortController } | undefined;
  #running: Promise<void> = Promise.resolve();
  #isRunning = false;

  constructor(speak: (speak: Speak, signal: AbortSignal) => Promise<void>) {
    this.#speak = speak;
  }

  add(speak: Speak): void {
    const letters = this.#waiting.reduce((sum, { text }) => sum + text.length, speak.text.length);
    if (this.#waiting.length >= mostWaiting || letters > mostWaitingLetters) {
      throw new Problem("rate_limited", "Too much text is waiting to be spoken. Wait for a done message.");
    }
    this.#waiting.push(speak);
    if (this.#isRunning) return;
    this.#isRunning = true;
    this.#running = this.#run();
  }

  /** Drops one text, spoken or waiting; without an id all of them. Returns those that were still waiting. */
  cancel(id: string | number | undefined): Speak[] {
    const isMeant = (speak: Speak) => id === undefined || speak.id === id;
    const dropped = this.#waiting.filter(isMeant);
    this.#waiting.splice(0, this.#waiting.length, ...this.#waiting.filter((speak) => !isMeant(speak)));
    if (this.#current && (id === undefined || this.#current.id === id)) {
      this.#current.abort.abort(new Error("cancelled"));
    }
    return dropped;
  }

  /** Resolves when everything was spoken. */
  settled(): Promise<void> {
    return this.#running;
  }

  async #run(): Promise<void> {
    for (let speak = this.#waiting.shift(); speak; speak = this.#waiting.shift()) {
      const abort = new AbortController();
      this.#current = { id: speak.id, abort };
      await this.#speak(speak, abort.signal);
      this.#current = undefined;
    }
    this.#isRunning = false;
  }
}
