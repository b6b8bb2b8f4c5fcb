export interface PrintRequest {
  /** Speech of one person, 16 kHz mono. Under two seconds the print says little. */
  readonly samples: Float32Array;
  /** Whose turn this takes, and which request of theirs it belongs to. */
  readonly key: string;
  readonly flow: string;
}

/** Tells speakers apart. */
export interface VoicePrinter {
  /** Why it cannot work now and what to do, in one line; undefined when it can. */
  missing(): string | undefined;
  /** Numbers of length one: the cosine of two of them says how alike the speakers sound. Keeps nothing. */
  print(request: PrintRequest, signal: AbortSignal): Promise<Float32Array>;
}

/** 1 is the same sound, some 0.5 to 0.8 the same person, below some 0.4 another one. */
export function likeness(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i]! * b[i]!;
  return sum;
}
