export interface Total {
  errors: number;
  words: number;
  wrongCharacters: number;
  characters: number;
  seconds: number;
  cpu: number;
  clips: number;
}

/** One line for each language, and one for all. */
export function printTotals(totals: Readonly<Record<string, Total>>): void {
  const all = noTotal();
  for (const total of Object.values(totals)) {
    for (const key of Object.keys(all) as (keyof Total)[]) all[key] += total[key];
  }
  for (const [language, total] of [...Object.entries(totals), ["all", all] as const]) {
    const share = (wrong: number, of: number) => `${((100 * wrong) / of).toFixed(1)} %`;
    const words =
      total.words > 0
        ? `${share(total.errors, total.words)} of ${total.words} words, ${share(total.wrongCharacters, total.characters)} of characters wrong, `
        : "";
    const cpu = (total.cpu / total.seconds).toFixed(3);
    console.log(`${language}: ${words}${total.clips} clips, ${cpu} CPU s per audio s`);
  }
}

export function noTotal(): Total {
  return { errors: 0, words: 0, wrongCharacters: 0, characters: 0, seconds: 0, cpu: 0, clips: 0 };
}
