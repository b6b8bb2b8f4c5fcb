import { Tensor } from "onnxruntime-node";

const RATE_HZ = 16_000;
const HOP = 160;
/** Samples before the first and behind the last frame: half a window. */
const EDGE = 200;
/** Rows of the encoder in 30 s, and in one. */
const ALL_ROWS = 1500;
const ROWS_PER_SECOND = 50;
/** Seconds of silence behind the speech of which every row is kept, and how far apart the rows of the rest are. Chosen on 73 human clips
 *  in nine languages; with less the decoder begins to repeat itself (docs/figures/speech-to-text.md). */
const SILENCE = {
  spoken: { everyRow: 2, stride: 8 },
  quick: { everyRow: 1, stride: 16 },
  whole: { everyRow: 30, stride: 8 },
} as const;

/** `quick` leaves out more of the silence, where somebody waits: a sixth less work for 5 s of speech. `whole` is the 30 s that the model
 *  was trained on: five times the work, for speech that the decoder gets lost in. */
export type ListenWindow = keyof typeof SILENCE;

export interface ListenInputs {
  readonly feeds: { readonly samples: Tensor; readonly tail: Tensor };
  /** Rows that come out, and how many of them are sound; the others are silence behind it. */
  readonly rows: number;
  readonly spokenRows: number;
}

/** Samples as the graph takes them: padded, with the positions of the silence that stands for the rest of the 30 s. */
export function listenInputs(samples: Float32Array, window: ListenWindow): ListenInputs {
  const { everyRow, stride } = SILENCE[window];
  const rows = Math.min(ALL_ROWS, Math.ceil((samples.length / RATE_HZ + everyRow) * ROWS_PER_SECOND));
  const padded = new Float32Array(rows * 2 * HOP + 2 * EDGE - HOP);
  padded.set(samples.subarray(0, padded.length - EDGE), EDGE);
  // Mirrored at the beginning, as in training.
  for (let i = 1; i <= EDGE; i++) padded[EDGE - i] = samples[i] ?? 0;
  const tail: bigint[] = [];
  for (let row = rows + (stride >> 1); row < ALL_ROWS; row += stride) tail.push(BigInt(row));
  return {
    feeds: {
      samples: new Tensor("float32", padded, [1, 1, padded.length]),
      tail: new Tensor("int64", BigInt64Array.from(tail), [tail.length]),
    },
    rows: rows + tail.length,
    spokenRows: Math.min(rows, Math.ceil((samples.length / RATE_HZ) * ROWS_PER_SECOND)),
  };
}
