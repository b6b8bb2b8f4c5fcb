import type { EngineHost, JobOptions } from "../../../ports/engine-host.ts";
import type { Spelling } from "./pronounce.ts";

/** A line of so many symbols finds a place beside a long sentence: about five seconds of speech. */
export const SHORT_LINE = 80;

/** A neural voice model behind the engine host: symbols in, a wave out. */
export interface VoiceModel {
  readonly host: EngineHost;
  readonly sampleRateHz: number;
  readonly spelling: Spelling;
  /** The longest line of symbols it takes at once. */
  readonly mostSymbols: number;
  isHere(): boolean;
  synthesize(line: SymbolLine, job: JobOptions): Promise<Float32Array>;
  /** The same wave in parts, the first of them short; absent where only the whole can be made. */
  stream?(line: SymbolLine, job: JobOptions): AsyncIterable<WavePart>;
}

export interface WavePart {
  readonly samples: Float32Array;
  readonly isLast: boolean;
}

export interface SymbolLine {
  readonly symbols: string;
  /** The model's own name of a voice. */
  readonly voice: string;
  readonly speed: number;
  readonly speaker?: Float32Array;
}
