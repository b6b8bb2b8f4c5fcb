/** What the server's side and the recogniser's process say to each other. Languages are Whisper's own codes. */
export interface WhisperJob {
  readonly folder: string;
  readonly threads: number;
  readonly samples: Float32Array;
  readonly speechSeconds: number;
  /** Undefined lets it find out. */
  readonly language: string | undefined;
  /** Those that it may find. */
  readonly offered: readonly string[];
  /** Those that it only tells, because another engine writes them down better. */
  readonly leftToOthers: readonly string[];
  readonly task: "transcribe" | "translate";
  readonly isInterim: boolean;
  readonly isUrgent: boolean;
}

export interface WhisperWord {
  readonly word: string;
  readonly startMs: number;
  readonly endMs: number;
}

export interface WhisperAnswer {
  readonly text: string;
  /** Undefined for silence, for a language that is not offered, or for one that cannot be told. */
  readonly language: string | undefined;
  /** Certainly not the language that was asked for, or none of those that are offered. */
  readonly isOther: boolean;
  readonly logProbability: number;
  readonly words: readonly WhisperWord[];
}
