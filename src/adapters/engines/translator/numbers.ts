/** First digits of the scripts that the net reads and writes. */
const ZEROS = [0x30, 0x660, 0x6f0, 0x966, 0x9e6, 0xa66, 0xae6, 0xb66, 0xbe6, 0xc66, 0xce6, 0xd66];
export const NUMBER =
  /\p{Nd}{1,3}(?:[ \u00a0\u202f]\p{Nd}{3}(?!\p{Nd}))+(?:[.,٫]\p{Nd}+)?|\p{Nd}+(?:[.,٬٫'’]\p{Nd}+)*/gu;

interface Found {
  readonly written: string;
  /** Its digits alone, since 1,250.5 is 1.250,5 elsewhere. */
  readonly digits: string;
  readonly at: number;
}

/** Whether every number of the source is in the translation, however it is written there. */
export function carriesNumbers(source: string, translated: string): boolean {
  return compare(source, translated).missing.length === 0;
}

/** The translation with the numbers of the source in place of those it made up; undefined when they cannot be matched. */
export function mendNumbers(source: string, translated: string): string | undefined {
  const { missing, extra } = compare(source, translated);
  if (missing.length === 0) return translated;
  if (missing.length !== extra.length) return undefined;
  // Five in the afternoon may well have become seventeen.
  const isClock = (index: number) => Number(extra[index]!.digits) === Number(missing[index]!.digits) + 12;
  let mended = translated;
  for (let index = extra.length - 1; index >= 0; index--) {
    const { at, written } = extra[index]!;
    if (isClock(index) && /\bp\.?\s?m\b/i.test(source)) continue;
    mended = mended.slice(0, at) + missing[index]!.written + mended.slice(at + written.length);
  }
  return mended;
}

/** The translation with every number that it carries over written as some language writes it (1.250,00 for 1,250.00), else as
 *  the source does: a net mixes both ways up. */
export function mendWriting(source: string, translated: string): string {
  const left = findNumbers(source);
  let mended = "";
  let place = 0;
  for (const { written, digits, at } of findNumbers(translated)) {
    const index = left.findIndex((one) => one.digits === digits);
    const [own] = index < 0 ? [] : left.splice(index, 1);
    mended += translated.slice(place, at) + (own && !isProper(own.written, written) ? own.written : written);
    place = at + written.length;
  }
  return mended + translated.slice(place);
}

function isProper(source: string, written: string): boolean {
  const plain = Array.from(written, (letter) => toDigit(letter) || letter)
    .join("")
    .replace("٫", ",");
  const swapped = source.replace(/[.,]/g, (mark) => (mark === "." ? "," : "."));
  const spaced = source.replace(/,(?=\d{3})/g, " ").replace(".", ",");
  const bare = plain.replace(/[\u00a0\u202f]/g, " ");
  const joined = [source, swapped].map((one) => one.replace(/[.,](?=\d{3}(?!\d))/g, ""));
  return [source, swapped, spaced, spaced.replace(",", "."), ...joined].includes(bare) || !/^[\d.,]+$/.test(source);
}

/** Numbers of the source that the translation lacks, and numbers that only the translation has, both in their order. */
function compare(source: string, translated: string): { missing: Found[]; extra: Found[] } {
  const theirs = findNumbers(translated);
  const taken = new Set<number>();
  const missing = findNumbers(source).filter(({ digits }) => {
    const place = theirs.findIndex((one, index) => !taken.has(index) && one.digits === digits);
    if (place >= 0) taken.add(place);
    return place < 0;
  });
  const extra = theirs.filter((_, index) => !taken.has(index));
  // Grouped differently (12 300 or 12300), but the same digits one after the other.
  const isSame = missing.map(({ digits }) => digits).join("") === extra.map(({ digits }) => digits).join("");
  return isSame ? { missing: [], extra: [] } : { missing, extra };
}

export function findNumbers(text: string): Found[] {
  return Array.from(text.matchAll(NUMBER), (match) => ({
    written: match[0],
    digits: Array.from(match[0], toDigit).join(""),
    at: match.index,
  }));
}

function toDigit(letter: string): string {
  const point = letter.codePointAt(0)!;
  const zero = ZEROS.find((first) => point >= first && point < first + 10);
  return zero === undefined ? "" : String(point - zero);
}
