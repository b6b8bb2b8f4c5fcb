import type { WhisperWord } from "./job.ts";
import type { Speech } from "./listener.ts";
import type { Written } from "./model.ts";
import type { Vocabulary } from "./vocabulary.ts";

const ROW_MS = 20;
/** Rows over which a look is smoothed, as the authors of Whisper do it. */
const MEDIAN_ROWS = 7;

/** When each word was said: the heads that follow the speech look at it while they write, and the way through their looks that
 *  never goes back (dynamic time warping) gives each token its rows. */
export function timeWords(
  { tokens, looks }: Pick<Written, "tokens" | "looks">,
  speech: Pick<Speech, "rows" | "spokenRows">,
  vocabulary: Pick<Vocabulary, "bytesOf" | "textOf">,
  text: string,
): WhisperWord[] {
  const wanted = text.split(/\s+/).filter(Boolean);
  const rows = speech.spokenRows;
  if (tokens.length === 0 || looks.length < tokens.length || rows < 2) return [];
  const starts = warp(meanLooks(looks, speech.rows, rows), rows);
  const words: WhisperWord[] = [];
  let from = 0;
  for (let to = 1; to <= tokens.length; to++) {
    const isEnd = to === tokens.length || beginsWord(vocabulary.bytesOf(tokens[to]!));
    if (!isEnd) continue;
    const word = vocabulary.textOf(tokens.slice(from, to));
    const endRow = to === tokens.length ? rows : starts[to]!;
    if (word !== "") words.push({ word, startMs: starts[from]! * ROW_MS, endMs: endRow * ROW_MS });
    from = to;
  }
  // Where the text was cut, or has words without a space between them, the tokens do not tell its words apart.
  const isSame = words.length >= wanted.length && wanted.every((word, i) => word === words[i]!.word);
  return isSame ? words.slice(0, wanted.length) : [];
}

const SPACE = 32;

function beginsWord(bytes: Uint8Array): boolean {
  return bytes[0] === SPACE;
}

/** One look for each token: every head's brought to one scale over the tokens, smoothed over the rows, and averaged. */
function meanLooks(looks: readonly Float32Array[], width: number, rows: number): Float32Array[] {
  const heads = looks[0]!.length / width;
  const means = looks.map(() => new Float32Array(rows));
  for (let head = 0; head < heads; head++) {
    const own = looks.map((look) => Float32Array.from(look.subarray(head * width, head * width + rows)));
    for (let row = 0; row < rows; row++) {
      const mean = own.reduce((sum, look) => sum + look[row]!, 0) / own.length;
      const spread = Math.sqrt(own.reduce((sum, look) => sum + (look[row]! - mean) ** 2, 0) / own.length) || 1;
      for (const look of own) look[row] = (look[row]! - mean) / spread;
    }
    for (const [token, look] of own.entries()) {
      const smooth = medians(look);
      for (let row = 0; row < rows; row++) means[token]![row]! += smooth[row]! / heads;
    }
  }
  return means;
}

/** Each value replaced by the middle one of those around it. */
function medians(values: Float32Array): Float32Array {
  const half = MEDIAN_ROWS >> 1;
  return values.map((_, at) => {
    const around = values.slice(Math.max(0, at - half), at + half + 1).sort();
    return around[around.length >> 1]!;
  });
}

/** The first row of each token on the best way from the first token and row to the last ones. */
function warp(looks: readonly Float32Array[], rows: number): number[] {
  const count = looks.length;
  const cost = Array.from({ length: count + 1 }, () => new Float64Array(rows + 1).fill(Number.POSITIVE_INFINITY));
  /** 0: the same token goes on; 1: the next token at the next row; 2: the next token at the same row. */
  const steps = Array.from({ length: count }, () => new Uint8Array(rows));
  cost[0]![0] = 0;
  for (let token = 1; token <= count; token++) {
    for (let row = 1; row <= rows; row++) {
      const ways = [cost[token]![row - 1]!, cost[token - 1]![row - 1]!, cost[token - 1]![row]!];
      const way = ways[1]! <= ways[0]! && ways[1]! <= ways[2]! ? 1 : ways[0]! <= ways[2]! ? 0 : 2;
      steps[token - 1]![row - 1] = way;
      cost[token]![row] = ways[way]! - looks[token - 1]![row - 1]!;
    }
  }
  const starts: number[] = new Array(count).fill(0);
  let [token, row] = [count - 1, rows - 1];
  while (token >= 0 && row >= 0) {
    starts[token] = row;
    const way = steps[token]![row]!;
    if (way !== 2) row -= 1;
    if (way !== 0) token -= 1;
  }
  return starts;
}
