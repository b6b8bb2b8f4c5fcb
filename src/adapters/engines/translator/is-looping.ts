const LONGEST_PHRASE = 12;

/** Whether a sentence has begun to run in circles: a phrase three times in a row, or a single piece five times. Digits may
 *  repeat: a million has six zeros. */
export function isLooping(pieces: readonly number[], isNumeric: (piece: number) => boolean = () => false): boolean {
  if (isNumeric(pieces.at(-1) ?? 0)) return false;
  for (let length = 1; length <= LONGEST_PHRASE; length++) {
    if (repeats(pieces, length) >= (length === 1 ? 5 : length === 2 ? 4 : 3)) return true;
  }
  return false;
}

/** How often the last `length` pieces stand at the end, one after the other. */
function repeats(pieces: readonly number[], length: number): number {
  let count = 1;
  let at = pieces.length - 2 * length;
  while (at >= 0 && isSame(pieces, at, length)) {
    count += 1;
    at -= length;
  }
  return count;
}

function isSame(pieces: readonly number[], at: number, length: number): boolean {
  const last = pieces.length - length;
  for (let place = 0; place < length; place++) if (pieces[at + place] !== pieces[last + place]) return false;
  return true;
}
