/** Kokoro's alphabet: each run of symbols with the id of its first. */
const RUNS: readonly (readonly [number, string])[] = [
  [1, ";:,.!?"],
  [9, '—…"()“” \u0303ʣʥʦʨᵝꭧAI'],
  [31, "O"],
  [33, "Q"],
  [35, "ST"],
  [39, "W"],
  [41, "Yᵊabcdef"],
  [50, "hijklmnopqrstuvwxyzɑɐɒæ"],
  [75, "βɔɕç"],
  [80, "ɖðʤə"],
  [85, "ɚɛɜ"],
  [90, "ɟ"],
  [92, "ɡ"],
  [99, "ɥ"],
  [101, "ɨɪʝ"],
  [110, "ɯɰŋɳɲɴø"],
  [118, "ɸθœ"],
  [123, "ɹ"],
  [125, "ɾɻ"],
  [128, "ʁɽʂʃʈʧ"],
  [135, "ʊʋ"],
  [138, "ʌɣɤ"],
  [142, "χʎ"],
  [147, "ʒʔ"],
  [156, "ˈˌː"],
  [162, "ʰ"],
  [164, "ʲ"],
  [169, "↓"],
  [171, "→↗↘"],
  [177, "ᵻ"],
];

const IDS: ReadonlyMap<string, number> = new Map(
  RUNS.flatMap(([first, symbols]) => [...symbols].map((symbol, index) => [symbol, first + index] as const)),
);

/** The model was trained on at most this many symbols, beside one mark at each end. */
export const MOST_SYMBOLS = 510;

export function isKokoroSymbol(symbol: string): boolean {
  return IDS.has(symbol);
}

/** Ids of the symbols in order. Symbols outside the alphabet are silently left out: see `toKokoroSymbols`, which replaces what it can. */
export function toSymbolIds(symbols: string): number[] {
  return [...symbols].flatMap((symbol) => IDS.get(symbol) ?? []);
}

/** Cuts a long line of symbols at spaces, or anywhere when there are none, into lines the model can take. */
export function cutSymbols(symbols: string, most = MOST_SYMBOLS): string[] {
  const lines: string[] = [];
  let rest = [...symbols];
  while (rest.length > most) {
    const space = rest.lastIndexOf(" ", most);
    const end = space > most / 2 ? space : most;
    lines.push(rest.slice(0, end).join("").trim());
    rest = rest.slice(end);
  }
  const last = rest.join("").trim();
  return last === "" ? lines : [...lines, last];
}
