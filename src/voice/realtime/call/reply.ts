import { createResampler } from "../../../audio/resample.ts";
import { trimStart } from "../../../audio/trim.ts";
import { Problem } from "../../../platform/errors.ts";
import { PLAYED_RATE_HZ } from "../../../ports/media.ts";
import type { SpeechStarted } from "../../speech/synthesize.ts";
import type { RtviMessage } from "../rtvi/messages.ts";
import { splitSpoken } from "./spoken-words.ts";

/** Where the sound of a reply goes. */
export interface VoiceOut {
  play(clip: number, samples: Int16Array): void;
  endClip(clip: number): void;
  drop(clips: readonly number[]): void;
}

export interface ReplyOptions {
  /** What is to be said, clause by clause, perhaps still being written. What it tells waits for the release, too. */
  clauses(reply: { signal: AbortSignal; tell(message: RtviMessage): void }): AsyncIterable<string>;
  /** False for a reply that is only read. */
  readonly isSpoken: boolean;
  /** 1 for clients that know nothing of progress. */
  readonly protocol: 1 | 2;
  speak(text: string, signal: AbortSignal): SpeechStarted;
  /** Numbers of clips and of segments, unique in the call. */
  nextClip(): number;
  readonly out: VoiceOut;
  tell(message: RtviMessage): void;
  onAudible(): void;
  /** Everything was said. */
  onFinished(): void;
  onFailed(error: unknown): void;
  /** The first sound is ready; nobody has heard it yet. */
  onSound(): void;
}

interface Clip {
  readonly id: number;
  readonly text: string;
  sentMs: number;
  playedMs: number;
  isComplete: boolean;
  isOver: boolean;
  /** What was told to be spoken. */
  told: string;
}

/** Sound that may be ready before it is heard. More would only be thrown away when the caller interrupts. */
const mostAheadMs = 20_000;
const aheadCheckMs = 100;
/** A voice begins with breath that nobody in a call waits for: 60 to 80 ms until it is loud (bench/live). Soft consonants are 25 to 35 dB
 *  below the loudest sound. */
const quietBeginning = { floorDecibels: -40, marginMs: 10 };
/** For words of a clip whose length is not known yet. */
const millisecondsPerCharacter = 65;

/** One thing that the bot says, from its first word to its last sound. Until it is released nobody hears or reads of it. */
export class Reply {
  readonly #options: ReplyOptions;
  readonly #abort = new AbortController();
  readonly #clips: Clip[] = [];
  #isReleased = false;
  #isWritten = false;
  #isAudible = false;
  #isOver = false;
  #held: (() => void)[] = [];
  #unspoken = "";

  constructor(options: ReplyOptions) {
    this.#options = options;
  }

  start(): void {
    void this.#run().catch((error: unknown) => {
      if (this.#isOver) return;
      this.cancel();
      this.#options.onFailed(error);
    });
  }

  owns(clip: number): boolean {
    return this.#clips.some(({ id }) => id === clip);
  }

  /** The words that were heard so far; of a reply that is only read, those that were sent. */
  get spoken(): string {
    if (!this.#options.isSpoken) return this.#unspoken;
    return this.#clips
      .map((clip) => splitSpoken(clip.text, partPlayed(clip)).spoken)
      .filter(Boolean)
      .join(" ");
  }

  release(): void {
    this.#isReleased = true;
    for (const action of this.#held.splice(0)) action();
  }

  /** Stops at once. */
  cancel(): void {
    this.#isOver = true;
    this.#abort.abort(new Error("the reply is over"));
    this.#held = [];
    this.#options.out.drop(this.#clips.filter(({ isOver }) => !isOver).map(({ id }) => id));
  }

  played(clipId: number, playedMs: number, isOver: boolean): void {
    const clip = this.#clips.find(({ id }) => id === clipId);
    if (!clip || this.#isOver) return;
    clip.playedMs = playedMs;
    clip.isOver = isOver;
    if (!this.#isAudible && playedMs > 0) {
      this.#isAudible = true;
      this.#options.onAudible();
    }
    this.#tellProgress(clip);
    this.#finishIfDone();
  }

  async #run(): Promise<void> {
    const { clauses, isSpoken } = this.#options;
    const { signal } = this.#abort;
    for await (const clause of clauses({ signal, tell: (message) => this.#tell(message) })) {
      if (signal.aborted) return;
      if (isSpoken) await this.#speak(clause, signal);
      else this.#write(clause);
    }
    this.#isWritten = true;
    this.#when(() => this.#finishIfDone());
  }

  async #speak(text: string, signal: AbortSignal): Promise<void> {
    const speech = this.#start(text, signal);
    if (!speech) return;
    const clip = {
      id: this.#options.nextClip(),
      text,
      sentMs: 0,
      playedMs: 0,
      isComplete: false,
      isOver: false,
      told: "",
    };
    this.#clips.push(clip);
    if (this.#clips.length === 1) this.#tell({ type: "bot-tts-started" });
    this.#tellNew(clip);
    const resampler = createResampler(speech.sampleRateHz, PLAYED_RATE_HZ);
    let isBeginning = this.#clips.length === 1;
    for await (const samples of speech.samples) {
      if (signal.aborted) return;
      const spoken = isBeginning ? trimStart(samples, speech.sampleRateHz, quietBeginning) : samples;
      isBeginning = false;
      this.#play(clip, resampler.process(spoken));
      await this.#waitForRoom(signal);
    }
    this.#play(clip, resampler.flush());
    clip.isComplete = true;
    this.#when(() => this.#options.out.endClip(clip.id));
  }

  /** A clause without anything to pronounce is left out. */
  #start(text: string, signal: AbortSignal): SpeechStarted | undefined {
    if (!/[\p{L}\p{N}]/u.test(text)) return undefined;
    return this.#options.speak(text, signal);
  }

  #write(text: string): void {
    this.#unspoken = this.#unspoken === "" ? text : `${this.#unspoken} ${text}`;
    this.#tell({
      type: "bot-output",
      data: { text, aggregated_by: "sentence", segment_id: this.#options.nextClip(), will_be_spoken: false },
    });
  }

  #play(clip: Clip, samples: Float32Array): void {
    if (samples.length === 0) return;
    if (clip.sentMs === 0 && this.#clips.length === 1) this.#options.onSound();
    clip.sentMs += (samples.length * 1000) / PLAYED_RATE_HZ;
    const pcm = Int16Array.from(samples, (value) => Math.max(-1, Math.min(1, value)) * 32767);
    this.#when(() => this.#options.out.play(clip.id, pcm));
  }

  async #waitForRoom(signal: AbortSignal): Promise<void> {
    const aheadMs = () => this.#clips.reduce((sum, { sentMs, playedMs }) => sum + sentMs - playedMs, 0);
    while (aheadMs() > mostAheadMs && !signal.aborted) {
      await new Promise((resolve) => setTimeout(resolve, aheadCheckMs));
    }
  }

  #tellNew(clip: Clip): void {
    const { text, id } = clip;
    if (this.#options.protocol === 1) return;
    this.#tell({
      type: "bot-output",
      data: {
        text,
        aggregated_by: "sentence",
        segment_id: id,
        will_be_spoken: true,
        spoken_status: "new",
        spoken_progress: { accumulated_text: "", remaining_text: text },
      },
    });
  }

  #tellProgress(clip: Clip): void {
    const { spoken, remaining } = splitSpoken(clip.text, partPlayed(clip));
    const isNew = spoken !== clip.told;
    if (!isNew && !clip.isOver) return;
    const words = spoken.slice(clip.told.length).trim();
    clip.told = spoken;
    const { tell, protocol } = this.#options;
    if (words !== "") tell({ type: "bot-tts-text", data: { text: words } });
    if (protocol === 2) {
      tell({
        type: "bot-output",
        data: {
          text: clip.text,
          aggregated_by: "sentence",
          segment_id: clip.id,
          will_be_spoken: true,
          spoken_status: clip.isOver ? "completed" : "in-progress",
          spoken_progress: { accumulated_text: spoken, remaining_text: remaining },
        },
      });
    } else if (clip.isOver) {
      tell({
        type: "bot-output",
        data: { text: clip.text, spoken: true, aggregated_by: "sentence", segment_id: clip.id },
      });
    }
    if (clip.isOver) tell({ type: "bot-transcription", data: { text: clip.text } });
  }

  #finishIfDone(): void {
    if (this.#isOver || !this.#isWritten || !this.#isReleased || this.#clips.some(({ isOver }) => !isOver)) return;
    this.#isOver = true;
    this.#options.onFinished();
  }

  #tell(message: RtviMessage): void {
    this.#when(() => this.#options.tell(message));
  }

  #when(action: () => void): void {
    if (this.#isOver) return;
    if (this.#isReleased) action();
    else this.#held.push(action);
  }
}

function partPlayed(clip: Clip): number {
  if (clip.isOver && clip.isComplete) return 1;
  const lengthMs = clip.isComplete ? clip.sentMs : Math.max(clip.sentMs, clip.text.length * millisecondsPerCharacter);
  return lengthMs === 0 ? 0 : clip.playedMs / lengthMs;
}

/** What went wrong, as the caller may know it. */
export function replyProblem(error: unknown): string {
  return error instanceof Problem ? error.message : "The reply could not be made.";
}
