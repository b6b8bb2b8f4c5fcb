export interface TurnRequest {
  /** What was just said, 16 kHz mono, with the silence after it. */
  readonly samples: Float32Array;
  /** Whose turn this takes, and which call it belongs to. */
  readonly key: string;
  readonly flow: string;
}

/** Tells by the sound whether somebody has finished or only pauses. */
export interface TurnDetector {
  /** 0 to 1: from a half on they have finished. Throws a Problem and stops soon after `signal` aborts. */
  judge(request: TurnRequest, signal: AbortSignal): Promise<number>;
}
