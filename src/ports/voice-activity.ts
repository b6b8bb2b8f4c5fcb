/** Samples of one frame: 32 ms at 16 kHz. */
export const FRAME_SAMPLES = 512;
export const HEARING_RATE_HZ = 16_000;

/** What the detector remembers between two stretches of one recording. Opaque to callers. */
export interface ActivityState {
  readonly memory: Float32Array;
  readonly context: Float32Array;
  readonly quietFrames: number;
}

export interface ActivityRequest {
  /** 16 kHz mono, a multiple of a frame; the last stretch of a recording may be shorter. */
  readonly samples: Float32Array;
  /** Undefined at the beginning of a recording. */
  readonly state: ActivityState | undefined;
  /** Whose turn this takes, and which request or stream of theirs it belongs to. */
  readonly key: string;
  readonly flow: string;
}

export interface Activity {
  /** For each frame, how likely somebody speaks in it. */
  readonly probabilities: Float32Array;
  readonly state: ActivityState;
}

/** Tells speech from everything else. It keeps nothing between calls, so a killed engine loses no stream's place. */
export interface VoiceActivityDetector {
  detect(request: ActivityRequest, signal: AbortSignal): Promise<Activity>;
}
