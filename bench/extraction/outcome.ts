/** One field of one document, as wanted and as found. */
export interface Outcome {
  readonly field: string;
  readonly want: unknown;
  readonly got: unknown;
  readonly isRight: boolean;
  /** Undefined when nothing was reported. */
  readonly confidence: number | undefined;
}

/** Equal after upper-casing and dropping everything but letters and digits. */
export function sameName(want: string, got: string): boolean {
  return bare(want) === bare(got);
}

export function bare(text: string): string {
  return text
    .toUpperCase()
    .normalize("NFD")
    .replace(/[^\p{L}\p{N}]/gu, "");
}

export function percent(part: number, whole: number): string {
  return whole === 0 ? "-" : `${((100 * part) / whole).toFixed(1)} %`;
}

export function f1(hits: number, found: number, wanted: number): number {
  return found + wanted === 0 ? 1 : (2 * hits) / (found + wanted);
}
