/** Piper's token table: one "symbol id" a line; the symbol may be a blank. */
export function readPiperTokens(text: string): Map<string, number> {
  const tokens = new Map<string, number>();
  for (const line of text.split("\n")) {
    const match = /^(.+) (\d+)$/su.exec(line);
    if (match) tokens.set(match[1]!, Number(match[2]));
  }
  return tokens;
}

/** The model swallows a soft word ("the", "his") right behind its begin mark, and says it well behind a blank. */
const LEAD = " ";

/** Begin and end marks, and a filler between all symbols, as the model was trained. Unknown symbols are left out. */
export function toPiperIds(symbols: string, tokens: ReadonlyMap<string, number>): number[] {
  const filler = tokens.get("_") ?? 0;
  const ids = [tokens.get("^") ?? 1];
  for (const symbol of LEAD + symbols.normalize("NFD")) {
    const id = tokens.get(symbol);
    if (id !== undefined) ids.push(filler, id);
  }
  return [...ids, filler, tokens.get("$") ?? 2];
}
