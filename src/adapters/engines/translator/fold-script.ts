/** What the net was trained on: how text is written before it is cut into pieces, and back (training/translator/text.py). */
export interface Scripts {
  /** First code point of the block of each language whose script is folded onto Devanagari. */
  readonly blocks: Readonly<Record<string, number>>;
  readonly devanagari: number;
}

const INVISIBLE = /[\u00ad\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\ufeff\u0000-\u0008\u000e-\u001f\u007f]/g;
/** Both dandas are shared by all scripts of India and stay where they are. */
const DANDAS = new Set([0x964, 0x965]);
const BLOCK_SIZE = 128;

/** Normalised, with the letters of an Indic script moved to their Devanagari cousins, so that languages share pieces. */
export function foldScript(text: string, language: string, scripts: Scripts): string {
  const clean = text.normalize("NFKC").replace(INVISIBLE, "").replace(/\s+/g, " ").trim();
  return move(clean, scripts.blocks[language] ?? scripts.devanagari, scripts.devanagari);
}

/** The reverse, for what the net wrote in `language`. */
export function unfoldScript(text: string, language: string, scripts: Scripts): string {
  return move(text, scripts.devanagari, scripts.blocks[language] ?? scripts.devanagari).normalize("NFC");
}

function move(text: string, from: number, to: number): string {
  if (from === to) return text;
  return text.replace(/[\u0900-\u0d7f]/g, (letter) => {
    const point = letter.charCodeAt(0);
    const isInside = point >= from && point < from + BLOCK_SIZE && !DANDAS.has(point);
    return isInside ? String.fromCharCode(point - from + to) : letter;
  });
}
