export interface DiarisationRequest {
  /** 16 kHz mono. */
  readonly samples: Float32Array;
  /** Whose turn this takes, and which request of theirs it belongs to. */
  readonly key: string;
  readonly flow: string;
}

/** A stretch in which one person speaks; those of two people may overlap. */
export interface SpeakerStretch {
  readonly startMs: number;
  readonly endMs: number;
  /** Numbers of no meaning; the same is the same person. */
  readonly speaker: number;
}

/** Tells who speaks when in a recording. */
export interface DiarisationEngine {
  /** Throws a Problem (`engine_busy`, `engine_unavailable`) and stops soon after `signal` aborts. */
  diarise(request: DiarisationRequest, signal: AbortSignal): Promise<readonly SpeakerStretch[]>;
}
