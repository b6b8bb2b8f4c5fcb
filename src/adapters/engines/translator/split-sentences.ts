/** A stretch of text: a sentence to translate, or what stands between sentences and stays as it is. */
export interface Stretch {
  readonly text: string;
  readonly isSentence: boolean;
}

/** Line breaks, tabs and wide gaps lay a text out, so nothing is joined across them. */
const GAP = /([\t\n\v\f\r\u0085\u2028\u2029]\s*|\s{2,})/u;
/** Dashes, bullets, quote marks of mail and the numbers of a list, before the words they introduce. */
const LEAD = /^(?:[-–—•▪‣◦*>#|+]+\s+|\(?\d{1,3}[.)]\s+|\(?[a-zA-Z][)]\s+)+/u;
const END = /[.!?…。！？।॥؟۔]+["'”’»›)\]]*(?=\s+(\S)|$)/gu;
const ABBREVIATIONS = new Set(
  (
    "mr mrs ms dr prof st sr jr vs etc no nos fig vol dept inc ltd co corp gen col sgt capt lt rev hon e.g i.e a.m p.m approx " +
    "u.s u.k z.b d.h u.a bzw ca nr hr fr bspw usw abs art str tel ing dipl sra srta dña ud uds pág núm av avda mme mlle mm " +
    "sig sigg dott ing avv pag cfr ecc n.b prof.ssa dhr mevr bijv enz blz a.c d.c"
  ).split(" "),
);

/** Cuts a text into sentences. Joined together again, the stretches are the text, letter by letter. */
export function splitSentences(text: string): Stretch[] {
  const stretches: Stretch[] = [];
  for (const [index, part] of text.split(GAP).entries()) {
    if (part === "") continue;
    if (index % 2 === 1) stretches.push({ text: part, isSentence: false });
    else stretches.push(...splitLine(part));
  }
  return stretches;
}

function splitLine(line: string): Stretch[] {
  const [, before, middle, after] = /^(\s*)(.*?)(\s*)$/su.exec(line)!;
  const lead = LEAD.exec(middle!)?.[0] ?? "";
  const stretches = [keep(before! + lead)];
  const words = middle!.slice(lead.length);
  let place = 0;
  for (const match of words.matchAll(END)) {
    const end = match.index + match[0].length;
    if (match[1] === undefined || !isEnd(words.slice(place, match.index), match[0], match[1])) continue;
    stretches.push(sentence(words.slice(place, end)));
    const gap = /^\s*/u.exec(words.slice(end))![0];
    stretches.push(keep(gap));
    place = end + gap.length;
  }
  stretches.push(sentence(words.slice(place)), keep(after!));
  return stretches.filter((stretch) => stretch.text !== "");
}

/** Whether a mark ends a sentence, by what stands before it and after it. */
function isEnd(before: string, mark: string, next: string): boolean {
  if (!mark.startsWith(".")) return true;
  if (/\p{Ll}/u.test(next)) return false;
  const word = /\S*$/u.exec(before)![0].replace(/^["'“‘«(]+/u, "");
  if (mark === "." && ABBREVIATIONS.has(word.toLowerCase())) return false;
  // An initial: "J. Smith"; and an ordinal number: "am 3. Oktober".
  if (mark === "." && /^(?:\p{Lu}\.)*\p{Lu}$/u.test(word)) return false;
  return !(mark === "." && /^\d{1,2}$/.test(word) && /\p{Lu}/u.test(next));
}

const keep = (text: string): Stretch => ({ text, isSentence: false });
/** Numbers and marks alone have nothing to translate. */
const sentence = (text: string): Stretch => ({ text, isSentence: /\p{L}/u.test(text) });

/** Parts of a sentence that is too long for the net: at the end of a clause where there is one, else between words, else
 *  anywhere. Each is a stretch with the white space around it, so that they join to the sentence again. */
export function splitClauses(text: string, fits: (part: string) => boolean): string[] {
  if (fits(text) || Array.from(text).length < 2) return [text];
  const at =
    findCut(text, /[;:—]\s+|\.\s+/gu) ?? findCut(text, /[,،؛、)]\s*/gu) ?? findCut(text, /\s+/gu) ?? halve(text);
  return [...splitClauses(text.slice(0, at), fits), ...splitClauses(text.slice(at), fits)];
}

/** The place nearest the middle, unless it is close to an edge. */
function findCut(text: string, pattern: RegExp): number | undefined {
  const middle = text.length / 2;
  const places = Array.from(text.matchAll(pattern), (match) => match.index + match[0].length);
  const near = places.filter((place) => Math.abs(place - middle) < text.length * 0.35);
  return near.sort((a, b) => Math.abs(a - middle) - Math.abs(b - middle))[0];
}

function halve(text: string): number {
  const letters = Array.from(text);
  return letters.slice(0, Math.ceil(letters.length / 2)).join("").length;
}
