/** Length of the phrase that the tokens end by repeating; 0 when they do not. One token counts as a loop after six times, up
 *  to four tokens after four, up to twelve after three: people do say "no, no, no". */
export function findLoop(tokens: readonly number[]): number {
  for (let period = 1; period <= 12; period++) {
    const times = period === 1 ? 6 : period <= 4 ? 4 : 3;
    if (tokens.length >= period * times && repeats(tokens, period, period * (times - 1))) return period;
  }
  return 0;
}

/** How many tokens are left when a phrase that is repeated at the end is kept once. */
export function lengthWithoutLoop(tokens: readonly number[], period: number): number {
  let length = tokens.length;
  while (length >= 2 * period && repeats(tokens.slice(0, length), period, period)) length -= period;
  return length;
}

/** Whether a text is the same three words or more twice, and nothing else: people do say so, recognisers more often. */
export function isSaidTwice(text: string): boolean {
  const words = text.trim().split(/\s+/);
  const half = words.length / 2;
  return half >= 3 && words.every((word, index) => word === words[(index + half) % words.length]);
}

/** Whether the last `count` tokens each equal the one a period before. */
function repeats(tokens: readonly number[], period: number, count: number): boolean {
  for (let i = tokens.length - count; i < tokens.length; i++) {
    if (tokens[i] !== tokens[i - period]) return false;
  }
  return true;
}
